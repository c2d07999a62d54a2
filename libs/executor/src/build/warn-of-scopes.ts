import { quote } from '../faults/found.ts';
import type { Located } from '../go/go-type.ts';
import type { BuildNotes } from './build-notes.ts';

/** Warns of scopes that Ratify accepts and that can hardly match what was meant. */
export function warnOfScopes(scopes: readonly Located<string>[], notes: BuildNotes): void {
  for (const { path, value } of scopes) {
    const registry = value.split('/')[0] ?? '';
    if (/[:@]$/.test(value) || value === '*.') notes.warn('ScopeNeverMatches', path, quote(value));
    else if (!isUsualRegistry(registry)) notes.warn('ScopeUnusual', path, quote(value));
  }
}

/** Lower-case host labels, optionally a wildcard before and a port behind, or an IPv6 literal with brackets. */
function isUsualRegistry(registry: string): boolean {
  if (registry.startsWith('[')) return true;
  const [host = '', port, ...more] = registry.split(':');
  const labels = (host.startsWith('*.') ? host.slice(2) : host).split('.');
  const goodPort =
    port === undefined || (/^[0-9]{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536);
  return more.length === 0 && goodPort && labels.every((label) => /^[a-z0-9_-]+$/.test(label));
}

import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import type { Located } from '../go/go-type.ts';
import { isRepositoryName } from './repository-name.ts';

/** Checks the scopes of a notation verifier: a single `*`, or repositories. None means `*`. */
export function checkNotationScopes(scopes: readonly Located<string>[]): void {
  const wildcard = scopes.find(({ value }) => value === '*');
  if (scopes.length > 1 && wildcard !== undefined) {
    throw new Fault('NotationScopeWildcardMixed', {
      path: wildcard.path,
      found: `* next to ${scopes.length - 1} more`,
    });
  }
  for (const scope of scopes) checkNotationScope(scope);
  const seen = new Map<string, string>();
  for (const { path, value } of scopes) {
    const first = seen.get(value);
    if (first !== undefined) {
      throw new Fault('NotationScopeDuplicate', { path, found: `${quote(value)} is also at ${first}` });
    }
    seen.set(value, path);
  }
}

function checkNotationScope({ path, value }: Located<string>): void {
  if (value === '*') return;
  const why = whyNoNotationScope(value);
  if (why === undefined) return;
  const subject = value === '' ? 'an empty scope' : `${quote(value)} ${why}`;
  throw new Fault('NotationScopeInvalid', { path, found: subject });
}

function whyNoNotationScope(scope: string): string | undefined {
  if (scope.includes('*')) return 'has a wildcard';
  const slash = scope.indexOf('/');
  if (slash < 0) return 'is a registry without a repository';
  if (!isDomain(scope.slice(0, slash))) return 'does not begin with a host name';
  if (!isRepositoryName(scope.slice(slash + 1))) return 'has no valid repository name behind the host';
  return undefined;
}

/** Labels of ASCII letters, digits and inner dashes, joined by dots, and optionally a port of any size. */
function isDomain(text: string): boolean {
  const colon = text.indexOf(':');
  const host = colon < 0 ? text : text.slice(0, colon);
  if (colon >= 0 && !/^[0-9]+$/.test(text.slice(colon + 1))) return false;
  return host.split('.').every((label) => /^[a-zA-Z0-9-]+$/.test(label) && !/^-|-$/.test(label));
}

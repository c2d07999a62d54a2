import { parseGoUrl } from '../go/go-url.ts';

/**
 * Whether the Azure SDK of Ratify would send anything to this vault: with the object's path behind it, the address must
 * be https and have a host. So `https://` alone is an address whose host is the first path segment.
 */
export function isUsableVault(vaultURL: string): boolean {
  const url = parseGoUrl(joinPath(vaultURL, '/secrets/'));
  return url !== undefined && url.scheme === 'https' && url.host !== '';
}

/** Puts `path` between the address and its query, with one slash where both have one. */
function joinPath(root: string, path: string): string {
  const mark = root.indexOf('?');
  const base = mark < 0 ? root : root.slice(0, mark);
  const query = mark < 0 ? '' : root.slice(mark);
  return `${base.endsWith('/') ? base.slice(0, -1) : base}${path}${query}`;
}

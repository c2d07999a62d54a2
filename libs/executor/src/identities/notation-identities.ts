import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import type { Located } from '../go/go-type.ts';
import { type DistinguishedName, isSubset, parseDistinguishedName } from './distinguished-name.ts';

const X509_SUBJECT = 'x509.subject';

/** Checks the trusted identities of a notation verifier. None means `*`; other prefixes than x509.subject pass unseen. */
export function checkNotationIdentities(identities: readonly Located<string>[]): void {
  const wildcard = identities.find(({ value }) => value === '*');
  if (identities.length > 1 && wildcard !== undefined) {
    throw new Fault('NotationIdentityWildcardMixed', {
      path: wildcard.path,
      found: `* next to ${identities.length - 1} more`,
    });
  }
  const names: Located<DistinguishedName>[] = [];
  for (const identity of identities) {
    const name = subjectOf(identity);
    if (name !== undefined) names.push({ path: identity.path, value: name });
  }
  checkOverlap(names);
}

/** Whether an identity has a prefix that notation accepts and never uses. */
export function hasForeignPrefix(identity: string): boolean {
  return identity !== '*' && !identity.startsWith(`${X509_SUBJECT}:`);
}

function subjectOf({ path, value }: Located<string>): DistinguishedName | undefined {
  if (value === '') throw new Fault('NotationIdentityEmpty', { path, found: 'an empty text' });
  if (value === '*') return undefined;
  const colon = value.indexOf(':');
  if (colon < 0)
    throw new Fault('NotationIdentityNoSeparator', { path, found: `${quote(value)} has no colon` });
  if (value.slice(0, colon) !== X509_SUBJECT) return undefined;
  const subject = value.slice(colon + 1);
  if (subject === '')
    throw new Fault('NotationIdentityNoValue', { path, found: `${quote(value)} ends at its colon` });
  const parsed = parseDistinguishedName(subject);
  if (parsed.kind === 'name') return parsed.attributes;
  throw new Fault('NotationIdentityInvalidDN', { path, found: `${quote(subject)} ${parsed.why}` });
}

function checkOverlap(names: readonly Located<DistinguishedName>[]): void {
  for (const one of names) {
    const other = names.find((name) => name !== one && isSubset(one.value, name.value));
    if (other === undefined) continue;
    throw new Fault('NotationIdentityOverlap', { path: one.path, found: `it is contained in ${other.path}` });
  }
}

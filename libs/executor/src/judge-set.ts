import { Fault } from './faults/fault.ts';
import { quote } from './faults/found.ts';
import type { Located } from './go/go-type.ts';
import type { Member, Outcome } from './member.ts';
import { outcomeOfFault } from './outcome-of-fault.ts';
import { decodeSpec } from './spec/decode-spec.ts';

/** A member with its own outcome. */
export interface Judged {
  readonly member: Member;
  readonly outcome: Outcome;
}

/**
 * Adds the conflicts between the members of one set to their outcomes: a scope that two of them claim fails both, each
 * naming the other, in whatever order they were seen. A member that fails by itself keeps its own fault.
 *
 * Builds nothing and calls nothing. The keys are the caller's.
 */
export function judgeSet(outcomes: ReadonlyMap<string, Judged>): ReadonlyMap<string, Outcome> {
  const claims = claimsOf(outcomes);
  return new Map([...outcomes].map(([key, judged]) => [key, withConflict(key, judged, claims)]));
}

interface Claim {
  readonly key: string;
  readonly member: Member;
  readonly path: string;
}

type Claims = ReadonlyMap<string, readonly Claim[]>;

function claimsOf(outcomes: ReadonlyMap<string, Judged>): Claims {
  const claims = new Map<string, Claim[]>();
  for (const [key, { member }] of outcomes) {
    for (const { path, value } of scopesOf(member)) {
      const list = claims.get(value) ?? [];
      list.push({ key, member, path });
      claims.set(value, list);
    }
  }
  return claims;
}

/** The scopes that Ratify keeps in memory for this member; none if it cannot even store the spec. */
function scopesOf(member: Member): readonly Located<string>[] {
  try {
    return decodeSpec(member.spec).scopes.value;
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

function withConflict(key: string, { member, outcome }: Judged, claims: Claims): Outcome {
  if (!outcome.succeeded) return outcome;
  for (const { path, value } of scopesOf(member)) {
    const other = firstOther(key, claims.get(value) ?? []);
    if (other === undefined) continue;
    const { material, materialDigest, files } = outcome;
    const found = `${quote(value)} is also at ${other.path} of ${nameOf(other.member)}`;
    return {
      ...outcomeOfFault(new Fault('ScopeTakenByOtherExecutor', { path, found })),
      blocksSet: true,
      material,
      ...(materialDigest === undefined ? {} : { materialDigest }),
      files,
      warnings: [],
    };
  }
  return outcome;
}

/** The first by name, so that the text does not depend on the order in which members were seen. */
function firstOther(key: string, claims: readonly Claim[]): Claim | undefined {
  const others = claims.filter((claim) => claim.key !== key);
  return others.toSorted((a, b) => (a.member.name < b.member.name ? -1 : 1))[0];
}

function nameOf({ kind, namespace, name }: Member): string {
  return namespace === undefined || namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

import { microTime } from './micro-time.ts';

/** The part of a Lease that an election reads and writes. */
export interface Lease {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion?: string;
  };
  readonly spec?: LeaseSpec;
}

export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** The spec with which `identity` takes or renews a Lease that now says `current`. */
export function heldBy(identity: string, current: LeaseSpec | undefined, terms: LeaseTerms): LeaseSpec {
  const renewTime = microTime(terms.wallMs);
  const renews = current?.holderIdentity === identity;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(terms.durationMs / 1000),
    acquireTime: (renews ? current.acquireTime : undefined) ?? renewTime,
    renewTime,
    leaseTransitions: (current?.leaseTransitions ?? 0) + (renews || current === undefined ? 0 : 1),
  };
}

/** The spec with which the holder gives a Lease up: nobody holds it, and nobody need wait. */
export function released(current: LeaseSpec, wallMs: number): LeaseSpec {
  const now = microTime(wallMs);
  return { ...current, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}

export interface LeaseTerms {
  readonly durationMs: number;
  /** What others read as the time of the last sign of life. */
  readonly wallMs: number;
}

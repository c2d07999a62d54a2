import type { ReportReason } from '@executor-status/api';
import { FAULT_CODES, type FaultCode } from './fault-codes.ts';
import type { FaultCause } from './fault-text.ts';

/** What to do when a provider gave a reason of its own. */
const NEXT_BY_REASON: Readonly<Partial<Record<ReportReason, string>>> = {
  CredentialsInvalid: 'Create or enable the object, or correct its name or version.',
  ProviderThrottled: 'Nothing to do: it is tried again, later each time.',
  ProviderDenied: 'Let the identity of this pod read secrets and keys of this vault.',
  CredentialsExpired: "Renew the credential of this pod's identity, or recreate the pod.",
  IdentityNotInjected: 'Give the ServiceAccount a workload identity, then recreate the pod.',
};

/** Most characters of a finding; labels of PEM blocks and the like come from the spec and may be any length. */
const MAX_FOUND_CHARS = 500;

/** Why an executor does not build: Ratify stops at its first fault, and so do we. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  /** JSON path of the place to look at. */
  readonly path: string;
  /** What was found there, as a clause: `"a b" has a blank`. */
  readonly found: string;
  readonly faultCause: FaultCause;
  /** The word of the report, where the cause alone does not give it. */
  readonly reason: ReportReason | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: FaultCode, place: FaultPlace, options: FaultOptions = {}) {
    const found = place.found.slice(0, MAX_FOUND_CHARS).toWellFormed();
    super(
      `${code}: ${found}, at ${place.path}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.path = place.path;
    this.found = found;
    this.faultCause = options.faultCause ?? FAULT_CODES[code].cause;
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** What would be right, as it follows "expected". */
  get expected(): string {
    return FAULT_CODES[this.code].expected;
  }

  /** What to do about it, as a sentence. */
  get next(): string {
    return (this.reason && NEXT_BY_REASON[this.reason]) ?? FAULT_CODES[this.code].next;
  }
}

export interface FaultPlace {
  readonly path: string;
  readonly found: string;
}

export interface FaultOptions {
  /** Set where it differs from the code's own, as for a leaf certificate that came from a file. */
  readonly faultCause?: FaultCause;
  readonly reason?: ReportReason;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

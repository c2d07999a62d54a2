import type { ReportReason } from '@executor-status/api';
import { FAULT_CODES, type FaultCode } from './fault-codes.ts';
import type { FaultCause } from './fault-text.ts';

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
    const { expected } = FAULT_CODES[code];
    const found = place.found.slice(0, MAX_FOUND_CHARS).toWellFormed();
    super(
      `${code} at ${place.path}: ${found}; expected ${expected}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.path = place.path;
    this.found = found;
    this.faultCause = options.faultCause ?? FAULT_CODES[code].cause;
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** What to do about it. */
  get next(): string {
    return FAULT_CODES[this.code].next;
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

/** What stands behind a fault: the words of the vectors' `cause`. */
export type FaultCause = 'spec' | 'filesystem' | 'network' | 'environment';

/** What is always the same about one kind of fault. */
export interface FaultText {
  /** `spec` when every pod says the same. */
  readonly cause: FaultCause;
  /** What would be right, as it follows "expected". */
  readonly expected: string;
  /** What to do, as a sentence. */
  readonly next: string;
}

/** A fault in the spec itself. */
export function inSpec(expected: string, next: string): FaultText {
  return { cause: 'spec', expected, next };
}

import type { Executor } from '@executor-status/api';
import type { Outcome } from '@executor-status/executor';

/**
 * Says what this pod makes of executors. A port: building them here is the one source now; a live one can take its place
 * the day Ratify says itself what it has loaded.
 */
export interface OutcomeSource {
  /** Begins a round: within it, equal questions to the outside are asked once. Ends early when `signal` aborts. */
  round(signal: AbortSignal): BuildRound;
  /** The outcomes of a set as its members stand side by side. Reads nothing, calls nobody. */
  judge(set: readonly SetMember[]): readonly (Outcome | undefined)[];
}

/** One round of builds of one set. */
export interface BuildRound {
  /**
   * What this pod makes of `executor` alone. Ends soon after `signal` aborts, whatever it gives then: nobody looks at it.
   * Rejects only when it, or the round, was ended early.
   */
  build(executor: Executor, signal: AbortSignal): Promise<Outcome>;
}

/** An executor of a set, with what it alone gave; `undefined` while it is not built. */
export interface SetMember {
  readonly executor: Executor;
  readonly outcome: Outcome | undefined;
}

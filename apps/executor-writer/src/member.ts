import type { Executor, ExecutorRef } from '@executor-status/api';
import type { Outcome } from '@executor-status/executor';
import type { BuildTrigger, EndedBuild } from './build-schedule.ts';
import { changeKey } from './change-key.ts';
import { executorRef } from './executor-key.ts';
import type { Verdict } from './report-status.ts';

/** What this pod knows of one executor: the object as it was last read, what its build gave, and how that stands in the set. */
export class Member {
  readonly ref: ExecutorRef;
  executor: Executor;
  /** What the build of `executor` gave by itself; `undefined` until that build has ended. */
  outcome: Outcome | undefined;
  /** What is reported: the outcome as judged beside the other members; stays until a newer build has ended. */
  verdict: Verdict | undefined;
  /** Why the next timed build will happen. */
  due: BuildTrigger = 'recheck';
  #failures = 0;
  #failingSinceMs = 0;

  constructor(executor: Executor) {
    this.ref = executorRef(executor.metadata);
    this.executor = executor;
  }

  get changeKey(): string {
    return changeKey(this.executor);
  }

  /** Takes in the object as it was read now. What was built of an earlier generation says nothing about a later one. */
  update(executor: Executor): void {
    if (changeKey(executor) !== this.changeKey) {
      this.outcome = undefined;
      this.#failures = 0;
    }
    this.executor = executor;
  }

  /** Takes in what a build gave, at `nowMs` of a clock that only goes forward. */
  ended(outcome: Outcome, nowMs: number): Pick<EndedBuild, 'failures' | 'failingForMs'> {
    this.outcome = outcome;
    const failing = !outcome.succeeded && outcome.retryable;
    if (failing && this.#failures === 0) this.#failingSinceMs = nowMs;
    this.#failures = failing ? this.#failures + 1 : 0;
    return { failures: this.#failures, failingForMs: failing ? nowMs - this.#failingSinceMs : 0 };
  }
}

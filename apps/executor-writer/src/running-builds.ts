import type { Executor, ExecutorRef } from '@executor-status/api';
import type { Outcome } from '@executor-status/executor';
import { changeKey } from './change-key.ts';
import { executorKey, setKey } from './executor-key.ts';
import type { ExecutorSets } from './executor-sets.ts';

/** The builds that run now; at most one of each executor. */
export class RunningBuilds {
  readonly #running = new Map<string, Running>();

  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** Runs a build. Gives `undefined`, and nothing that it throws, when it was called off meanwhile. */
  async run(
    { ref, executor }: { readonly ref: ExecutorRef; readonly executor: Executor },
    build: (executor: Executor, signal: AbortSignal) => Promise<Outcome>,
  ): Promise<Outcome | undefined> {
    const ending = new AbortController();
    this.#running.set(executorKey(ref), { ref, changeKey: changeKey(executor), ending });
    try {
      const outcome = await build(executor, ending.signal);
      return ending.signal.aborted ? undefined : outcome;
    } catch (error) {
      if (!ending.signal.aborted) throw error;
      return undefined;
    } finally {
      this.#running.delete(executorKey(ref));
    }
  }

  /** Calls off the builds in a set whose executor is another one now, or gone: nobody waits for what they would say. */
  callOffStale(set: string, sets: ExecutorSets): void {
    for (const { ref, changeKey: begun, ending } of this.#running.values()) {
      if (setKey(ref) !== set) continue;
      const watched = sets.get(ref);
      if (watched === undefined ? sets.isGone(ref) : changeKey(watched) !== begun) ending.abort();
    }
  }
}

interface Running {
  readonly ref: ExecutorRef;
  /** Of the object that is built. */
  readonly changeKey: string;
  readonly ending: AbortController;
}

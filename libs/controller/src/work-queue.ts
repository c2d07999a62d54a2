/** `low` work (a resync) waits while any `normal` work (a user's edit) waits. */
export type Priority = 'normal' | 'low';

/** A key that needs work. A bare string is `normal`. */
export type Work = string | { readonly key: string; readonly priority: Priority };

/**
 * Which keys wait and which run: each key at most once in either, so its size is bounded by the number of keys.
 * Give one to `reconcileEach` to look at it from a probe.
 */
export class WorkQueue {
  readonly #waiting: Record<Priority, Set<string>> = { normal: new Set(), low: new Set() };
  readonly #running = new Map<string, { readonly since: number; again: Priority | undefined }>();

  /** How many keys wait. */
  get waiting(): number {
    return this.#waiting.normal.size + this.#waiting.low.size;
  }

  /** How many keys run. */
  get running(): number {
    return this.#running.size;
  }

  /** For how many milliseconds the longest-running key has run at `now` (the clock given to {@link take}); 0 if none. */
  longestMs(now: number): number {
    return [...this.#running.values()].reduce((longest, { since }) => Math.max(longest, now - since), 0);
  }

  /** Asks for work. Returns whether one more key now waits: not if it waits already, or will run again after this run. */
  add(work: Work): boolean {
    const { key, priority } = typeof work === 'string' ? ({ key: work, priority: 'normal' } as const) : work;
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.again = moreUrgent(running.again, priority);
      return false;
    }
    const waited = this.#waiting.low.has(key) || this.#waiting.normal.has(key);
    if (priority === 'normal' && this.#waiting.low.delete(key)) this.#waiting.normal.add(key);
    if (!waited) this.#waiting[priority].add(key);
    return !waited;
  }

  /** Starts the key that has waited longest among the most urgent ones; `undefined` if none waits. */
  take(now: number): string | undefined {
    for (const waiting of [this.#waiting.normal, this.#waiting.low]) {
      for (const key of waiting) {
        waiting.delete(key);
        this.#running.set(key, { since: now, again: undefined });
        return key;
      }
    }
    return undefined;
  }

  /** Ends the run of `key`. Returns whether it waits again, because it was asked for meanwhile. */
  done(key: string): boolean {
    const again = this.#running.get(key)?.again;
    this.#running.delete(key);
    return again !== undefined && this.add({ key, priority: again });
  }
}

const moreUrgent = (a: Priority | undefined, b: Priority): Priority => (a === 'normal' ? a : b);

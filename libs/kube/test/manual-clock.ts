import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../src/clock.ts';

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  readonly #sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  #now = 0;
  /** What the wall clock shows when this one shows 0; whoever moves it jumps. */
  wallOffsetMs = Date.parse('2026-08-06T09:49:44.000Z');

  now(): number {
    return this.#now;
  }

  wallMs(): number {
    return this.wallOffsetMs + this.#now;
  }

  /** How many sleep now. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { at: this.#now + Math.max(ms, 0), wake: resolve };
    this.#sleepers.add(sleeper);
    const abort = () => resolve();
    signal?.addEventListener('abort', abort, { once: true });
    await promise;
    this.#sleepers.delete(sleeper);
    signal?.removeEventListener('abort', abort);
  }

  /** Lets `ms` pass: wakes the sleepers in their order, and lets each do what it does before the next one wakes. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#now = next.at;
      this.#sleepers.delete(next);
      next.wake();
      await settle();
    }
    this.#now = until;
  }

  #next(until: number) {
    const due = [...this.#sleepers].filter(({ at }) => at <= until);
    return due.toSorted((a, b) => a.at - b.at)[0];
  }
}

/** Lets everything run that does not wait for time: enough turns for a few calls after one another. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await setImmediate();
}

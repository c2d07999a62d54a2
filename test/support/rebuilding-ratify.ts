import type { SimulatedServer } from './simulated-server.ts';

/**
 * The pods of a Ratify that lacks the predicate of its pull request #2830: each builds an executor again at every event about it,
 * whoever caused it. What it then writes is refused by the fence.
 */
export class RebuildingRatify {
  readonly #rebuilds = new Map<string, number>();

  constructor(server: SimulatedServer) {
    server.watch = () => {
      for (const [pod, count] of this.#rebuilds) this.#rebuilds.set(pod, count + 1);
    };
  }

  /** A pod starts: what it builds then is its own affair. */
  start(pod: string): void {
    this.#rebuilds.set(pod, 0);
  }

  stop(pod: string): void {
    this.#rebuilds.delete(pod);
  }

  /** How often the busiest of the pods that run has rebuilt since its start, or since the last {@link forget}. */
  get mostRebuilds(): number {
    return Math.max(0, ...this.#rebuilds.values());
  }

  /** Counts anew from now on. */
  forget(): void {
    for (const pod of this.#rebuilds.keys()) this.#rebuilds.set(pod, 0);
  }
}

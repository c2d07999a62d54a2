import type { Clock } from './clock.ts';

/** What a watch is doing. `waiting` is the pause after a failure; `missing` waits for the kind to be installed. */
export type WatchPhase = 'stopped' | 'listing' | 'watching' | 'waiting' | 'missing';

/** How one watch is doing, for probes and metrics. Made by the app, written by `watchResource`. */
export class WatchHealth {
  /** What is watched: the plural name of the kind. */
  readonly name: string;
  phase: WatchPhase = 'stopped';
  /** Whether there has been a complete list. */
  synced = false;
  /** How often the watch failed since it was last in order. */
  failures = 0;
  /** Why it failed last; `undefined` while it is in order. */
  lastError: Error | undefined;
  readonly #clock: Clock;
  #heardAt: number;

  /** @param clock - the client's. */
  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
    this.#heardAt = clock.now();
  }

  /** Milliseconds since the API server was last heard on this watch, or since this was made. */
  get ageMs(): number {
    return this.#clock.now() - this.#heardAt;
  }

  /** Notes that the API server was heard. */
  heard(): void {
    this.#heardAt = this.#clock.now();
  }
}

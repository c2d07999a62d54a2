import type { Clock } from './clock.ts';

/** Ends a stream that has been silent for too long. */
export class SilenceLimit {
  readonly #clock: Clock;
  readonly #end = new AbortController();
  #heardAt = 0;
  #over = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborted at the end, whether by silence or by {@link end}. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Whether it was silence that ended it. */
  get over(): boolean {
    return this.#over;
  }

  /** Starts to listen: from now on, `limitMs` without {@link heard} end it. */
  async start(limitMs: number): Promise<void> {
    this.heard();
    while (!this.signal.aborted) {
      const leftMs = this.#heardAt + limitMs - this.#clock.now();
      this.#over = leftMs <= 0;
      if (this.#over) this.end();
      else await this.#clock.sleep(leftMs, this.signal);
    }
  }

  heard(): void {
    this.#heardAt = this.#clock.now();
  }

  end(): void {
    this.#end.abort();
  }
}

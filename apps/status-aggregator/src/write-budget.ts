/** How many writes there may be over all executors. */
export interface WriteBudgetSettings {
  /** In the long run. */
  readonly perSecond: number;
  /** At once, after a quiet time. */
  readonly burst: number;
}

/** A bucket of tokens, one for each write, over all executors (design rule 9). */
export class WriteBudget {
  readonly #settings: WriteBudgetSettings;
  #tokens: number;
  #atMs: number;

  /** @param nowMs - a clock that never jumps, in milliseconds. */
  constructor(settings: WriteBudgetSettings, nowMs: number) {
    this.#settings = settings;
    this.#tokens = settings.burst;
    this.#atMs = nowMs;
  }

  /** Takes one token and returns 0, or returns in how many milliseconds there will be one. */
  take(nowMs: number): number {
    const { perSecond, burst } = this.#settings;
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#atMs) / 1000) * perSecond);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return Math.ceil(((1 - this.#tokens) / perSecond) * 1000);
    this.#tokens--;
    return 0;
  }
}

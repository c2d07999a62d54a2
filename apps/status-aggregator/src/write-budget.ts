import type { Urgency } from './judge-urgency.ts';

/** How many writes there may be over all executors. */
export interface WriteBudgetSettings {
  /** In the long run. */
  readonly perSecond: number;
  /** At once, after a quiet time. */
  readonly burst: number;
}

/**
 * A bucket of tokens, one for each write, over all executors (design rule 9), and the line of those that wait for one: transitions
 * before progress, else as they came. Each has a time of its own, so that a crowd does not come back all at once.
 */
export class WriteBudget {
  readonly #settings: WriteBudgetSettings;
  readonly #line: Readonly<Record<Urgency, Set<string>>> = { transition: new Set(), progress: new Set() };
  #tokens: number;
  #atMs: number;

  /** @param nowMs - a clock that never jumps, in milliseconds. */
  constructor(settings: WriteBudgetSettings, nowMs: number) {
    this.#settings = settings;
    this.#tokens = settings.burst;
    this.#atMs = nowMs;
  }

  /**
   * Takes a token for a write of `key` and returns 0, or keeps it a place in line and returns in how many milliseconds its turn comes.
   * Who has a place must claim again then, or {@link leave}.
   */
  claim(key: string, urgency: Urgency, nowMs: number): number {
    this.#fill(nowMs);
    if (!this.#line[urgency].has(key)) this.leave(key);
    const missing = this.#ahead(key, urgency) + 1 - this.#tokens;
    if (missing > 0) {
      this.#line[urgency].add(key);
      return Math.ceil((missing / this.#settings.perSecond) * 1000);
    }
    this.leave(key);
    this.#tokens--;
    return 0;
  }

  /** Gives up the place of `key`, if it has one. */
  leave(key: string): void {
    this.#line.transition.delete(key);
    this.#line.progress.delete(key);
  }

  /** Pays for a write that could not wait: the next ones wait longer. */
  spend(nowMs: number): void {
    this.#fill(nowMs);
    this.#tokens--;
  }

  #fill(nowMs: number): void {
    const { perSecond, burst } = this.#settings;
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#atMs) / 1000) * perSecond);
    this.#atMs = nowMs;
  }

  /** How many tokens are for others. */
  #ahead(key: string, urgency: Urgency): number {
    const { transition, progress } = this.#line;
    return urgency === 'transition' ? placeIn(transition, key) : transition.size + placeIn(progress, key);
  }
}

function placeIn(line: ReadonlySet<string>, key: string): number {
  if (!line.has(key)) return line.size;
  let place = 0;
  for (const one of line) {
    if (one === key) return place;
    place++;
  }
  return place;
}

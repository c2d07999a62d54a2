/**
 * How often the own reports vanished: deleted by somebody again and again. After five times within a minute the next one
 * is made only a minute later, and then the pause doubles up to ten minutes, until ten minutes pass without.
 *
 * All times are milliseconds of a clock that only goes forward.
 */
export class Vanishings {
  readonly #seen = new Map<string, Seen>();

  /** The report of `key` was there and is not any more. */
  note(key: string, nowMs: number): void {
    const seen = this.#seen.get(key) ?? { recent: [], pauses: 0, pauseUntilMs: 0 };
    const recent = [...seen.recent.filter((at) => at > nowMs - MINUTE_MS), nowMs];
    const paused = seen.pauses > 0 && nowMs < seen.pauseUntilMs + QUIET_MS;
    const pauses = paused || recent.length >= OFTEN ? (paused ? seen.pauses : 0) + 1 : 0;
    const pauseMs = pauses === 0 ? 0 : Math.min(MINUTE_MS * 2 ** (pauses - 1), LONGEST_MS);
    this.#seen.set(key, { recent, pauses, pauseUntilMs: nowMs + pauseMs });
  }

  /** How long to wait before the report of `key` is made anew; 0 for not at all. */
  pauseMs(key: string, nowMs: number): number {
    return Math.max(0, (this.#seen.get(key)?.pauseUntilMs ?? 0) - nowMs);
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}

interface Seen {
  readonly recent: readonly number[];
  readonly pauses: number;
  readonly pauseUntilMs: number;
}

const OFTEN = 5;
const MINUTE_MS = 60_000;
const LONGEST_MS = 600_000;
const QUIET_MS = 600_000;

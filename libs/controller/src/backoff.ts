/** How waits grow from one failed try to the next. */
export interface Backoff {
  /** The wait before the first retry, in milliseconds. */
  readonly baseMs: number;
  /** Where doubling ends, in milliseconds. */
  readonly maxMs: number;
  /** Half the width of the spread, as a part of the wait: 0.2 spreads it evenly over ±20 %. */
  readonly jitter: number;
}

/**
 * How long to wait before retry number `attempt`: `baseMs`, doubled with each attempt up to `maxMs`, then spread
 * by `jitter`, so that pods that failed together do not come back together.
 *
 * @param attempt - 1 for the first retry; a whole number of at least 1.
 * @param backoff - its three numbers.
 * @param random - returns a number in [0, 1).
 * @returns milliseconds, at least `baseMs * (1 - jitter)` and less than `maxMs * (1 + jitter)`.
 * @throws {RangeError} if `attempt` is not a whole number of at least 1.
 */
export function backoffMs(attempt: number, backoff: Backoff, random: () => number): number {
  if (!Number.isInteger(attempt) || attempt < 1) {
    throw new RangeError(`attempt must be a whole number of at least 1, got ${attempt}`);
  }
  const wait = Math.min(backoff.baseMs * 2 ** (attempt - 1), backoff.maxMs);
  return spread(wait, backoff.jitter, random);
}

/** `ms` spread evenly over ±`jitter` of it: from `ms * (1 - jitter)` to just below `ms * (1 + jitter)`. */
export function spread(ms: number, jitter: number, random: () => number): number {
  return ms * (1 - jitter + 2 * jitter * random());
}

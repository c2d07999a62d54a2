import { defer, map, type Observable, repeat, type SchedulerLike, timer } from 'rxjs';
import { spread } from './backoff.ts';

/** How often {@link resync} speaks. */
export interface Resync {
  /** The mean time between two rounds, in milliseconds. */
  readonly periodMs: number;
  /** The spread of each wait, as a part of the period; default 0.1, that is ±10 %. */
  readonly jitter?: number;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly scheduler?: SchedulerLike;
}

/**
 * A slow, uneven beat: the safety net that compares the world with what was written, whatever events were lost.
 * Each wait is spread anew, so that many processes that start together drift apart. Never completes.
 */
export function resync({ periodMs, jitter = 0.1, random, scheduler }: Resync): Observable<void> {
  return defer(() => timer(spread(periodMs, jitter, random), scheduler)).pipe(
    map(() => undefined),
    repeat(),
  );
}

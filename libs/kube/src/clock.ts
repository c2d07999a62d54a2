import { setTimeout as sleepMs } from 'node:timers/promises';

/** Time that only goes forward, whatever happens to the wall clock, and the wall clock. A parameter, so that tests own it. */
export interface Clock {
  /** Milliseconds since some moment; never steps back. */
  now(): number;
  /** The wall clock, for what others read: milliseconds since 1970, with fractions where the system has them. */
  wallMs(): number;
  /** Waits `ms` (at most 24 days), or less if `signal` is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallMs: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    // An abort ends the wait, and the caller looks at its signal anyway.
    await sleepMs(Math.min(ms, MAX_SLEEP_MS), undefined, { ...(signal && { signal }) }).catch(
      () => undefined,
    );
  },
};

// A longer timer of Node.js fires at once.
const MAX_SLEEP_MS = 2 ** 31 - 1;

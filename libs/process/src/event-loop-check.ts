import type { Check } from './health-checks.ts';

export interface EventLoopOptions {
  /** How long the loop may be late; 10 000 when left out. */
  readonly maxLagMs?: number;
  /** How often it is asked; 1 000 when left out. */
  readonly periodMs?: number;
  /** Milliseconds of a clock that never jumps. */
  readonly clock?: () => number;
  /** Calls back each `periodMs` until the returned function is called. */
  readonly every?: (periodMs: number, tick: () => void) => () => void;
}

/** A check that fails while the event loop is more than `maxLagMs` late, as when something computes without a pause. */
export function eventLoopCheck(options: EventLoopOptions = {}): {
  readonly check: Check;
  readonly stop: () => void;
} {
  const {
    maxLagMs = 10_000,
    periodMs = 1000,
    clock = () => performance.now(),
    every = unheldInterval,
  } = options;
  let lastMs = clock();
  const stop = every(periodMs, () => {
    lastMs = clock();
  });
  const check = () => {
    const lateMs = clock() - lastMs - periodMs;
    return lateMs > maxLagMs ? `the event loop is ${Math.round(lateMs / 1000)} s late` : undefined;
  };
  return { check, stop };
}

/** Unheld: it does not keep the process alive. */
function unheldInterval(periodMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, periodMs).unref();
  return () => clearInterval(timer);
}

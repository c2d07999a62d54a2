import {
  asyncScheduler,
  catchError,
  defer,
  EMPTY,
  endWith,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type ObservableInput,
  type OperatorFunction,
  of,
  repeat,
  type SchedulerLike,
  Subject,
  takeUntil,
  tap,
} from 'rxjs';
import { KeyTimers } from './key-timers.ts';
import { type Work, WorkQueue } from './work-queue.ts';

/** One finished run of a reconcile. An error is a value: it never ends the stream. */
export interface Reconciled {
  readonly key: string;
  /** How long it ran, in milliseconds. */
  readonly tookMs: number;
  /** What it threw; absent after a success. */
  readonly error?: unknown;
  /** How many runs of this key have now failed in a row; absent after a success. */
  readonly attempt?: number;
  /** When the key comes back by itself; absent if it does not. */
  readonly retryInMs?: number;
}

/** How {@link reconcileEach} runs. */
export interface ReconcileOptions {
  /** How many keys may run at once; at least 1. */
  readonly concurrency: number;
  /**
   * How many milliseconds after its `attempt`-th failure in a row a key comes back by itself; `undefined` for never.
   * Default: never. Work that is asked for meanwhile runs at once and takes the place of the retry.
   */
  readonly retryAfterMs?: (error: unknown, attempt: number) => number | undefined;
  /** Where the waiting and running keys are kept, to look at it from outside. One queue serves one subscription. */
  readonly queue?: WorkQueue;
  readonly scheduler?: SchedulerLike;
  /**
   * By what runs are measured, also in the queue: milliseconds of a clock that only goes forward. Default: the scheduler's,
   * which is the wall clock and may jump.
   */
  readonly now?: () => number;
}

/**
 * Runs `reconcile` for each key that is asked for: never twice at once for one key, and once more if it is asked for
 * during a run. A burst for one key collapses into one run. `low` work waits for all `normal` work. A key that is asked
 * for again lines up behind the others, so that a busy key cannot starve them.
 *
 * When the work completes, what waits still runs, retries are dropped, and then the result completes. When the result is
 * unsubscribed, nothing new starts; a run that has begun as a promise goes on unheard.
 */
export function reconcileEach(
  reconcile: (key: string) => ObservableInput<unknown>,
  options: ReconcileOptions,
): OperatorFunction<Work, Reconciled> {
  return (work) =>
    defer(() => {
      const { scheduler = asyncScheduler, queue = new WorkQueue() } = options;
      const now = options.now ?? (() => scheduler.now());
      const retries = new Retries(options, scheduler, now);
      const run = (key: string) => retries.follow(key, reconcile);
      return merge(retries.due, work.pipe(tap({ complete: () => retries.close() }))).pipe(
        // Each element that passes stands for one waiting key; which one is decided only when a place is free.
        filter((wanted) => queue.add(wanted)),
        mergeMap(() => runMostUrgent(queue, run, now), options.concurrency),
      );
    });
}

/** Runs the most urgent key; if that key was asked for meanwhile, it lines up again and the place is used once more. */
function runMostUrgent(
  queue: WorkQueue,
  run: (key: string) => Observable<Reconciled>,
  now: () => number,
): Observable<Reconciled> {
  let key: string | undefined;
  return defer(() => {
    key = queue.take(now());
    return key === undefined ? EMPTY : run(key);
  }).pipe(repeat({ delay: () => (key !== undefined && queue.done(key) ? of(true) : EMPTY) }));
}

/** Counts failures in a row by key and brings failed keys back. */
class Retries {
  readonly due: Observable<string>;
  readonly #alarms: KeyTimers;
  readonly #attempts = new Map<string, number>();
  readonly #closed = new Subject<void>();
  readonly #now: () => number;
  #retryAfterMs: NonNullable<ReconcileOptions['retryAfterMs']>;

  constructor(options: ReconcileOptions, scheduler: SchedulerLike, now: () => number) {
    this.#now = now;
    this.#retryAfterMs = options.retryAfterMs ?? (() => undefined);
    this.#alarms = new KeyTimers(scheduler);
    this.due = this.#alarms.due.pipe(takeUntil(this.#closed));
  }

  close(): void {
    this.#retryAfterMs = () => undefined;
    this.#closed.next();
  }

  follow(key: string, reconcile: (key: string) => ObservableInput<unknown>): Observable<Reconciled> {
    this.#alarms.clear(key);
    const since = this.#now();
    const tookMs = () => this.#now() - since;
    return defer(() => reconcile(key)).pipe(
      ignoreElements(),
      endWith('done' as const),
      map(() => this.#succeeded(key, tookMs())),
      catchError((error: unknown) => of(this.#failed(key, error, tookMs()))),
    );
  }

  #succeeded(key: string, tookMs: number): Reconciled {
    this.#attempts.delete(key);
    return { key, tookMs };
  }

  #failed(key: string, error: unknown, tookMs: number): Reconciled {
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    const retryInMs = this.#retryAfterMs(error, attempt);
    if (retryInMs === undefined) {
      this.#attempts.delete(key);
      return { key, tookMs, error, attempt };
    }
    this.#attempts.set(key, attempt);
    this.#alarms.set(key, retryInMs);
    return { key, tookMs, error, attempt, retryInMs };
  }
}

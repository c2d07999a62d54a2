import {
  asyncScheduler,
  finalize,
  type Observable,
  type SchedulerLike,
  Subject,
  type Subscription,
} from 'rxjs';

/**
 * One alarm per key: for deadlines, spacing and retries. Setting a key again replaces its alarm, so a reconcile
 * that names its next deadline each time it runs never leaves an old one behind.
 */
export class KeyTimers {
  /** Keys whose alarm went off, each once. When the last listener leaves, all alarms are cleared. */
  readonly due: Observable<string>;
  readonly #due = new Subject<string>();
  readonly #alarms = new Map<string, Subscription>();
  readonly #scheduler: SchedulerLike;

  constructor(scheduler: SchedulerLike = asyncScheduler) {
    this.#scheduler = scheduler;
    this.due = this.#due.pipe(finalize(() => !this.#due.observed && this.clearAll()));
  }

  /** How many alarms are set. */
  get size(): number {
    return this.#alarms.size;
  }

  /** Lets `key` come due in `inMs` milliseconds (at once, but never within this call, if that is not positive). */
  set(key: string, inMs: number): void {
    this.clear(key);
    const step = Math.min(Math.max(inMs, 0), MAX_TIMER_MS);
    const alarm = this.#scheduler.schedule(() => {
      if (inMs > MAX_TIMER_MS) return this.set(key, inMs - MAX_TIMER_MS);
      this.#alarms.delete(key);
      this.#due.next(key);
    }, step);
    this.#alarms.set(key, alarm);
  }

  /** Takes the alarm of `key` away; nothing happens if there is none. */
  clear(key: string): void {
    this.#alarms.get(key)?.unsubscribe();
    this.#alarms.delete(key);
  }

  clearAll(): void {
    for (const alarm of this.#alarms.values()) alarm.unsubscribe();
    this.#alarms.clear();
  }
}

// A longer setTimeout overflows 31 bits and fires at once (Node.js documentation, "timers"): longer waits go in steps.
const MAX_TIMER_MS = 2 ** 31 - 1;

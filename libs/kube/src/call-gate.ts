import type { Clock } from './clock.ts';
import type { CallPriority } from './kube-client.ts';

/** How much of the API server one process may take. */
export interface CallBudget {
  /** Calls a second in the long run. */
  readonly qps: number;
  /** Calls that may be made at once after a quiet time; at least 1. */
  readonly burst: number;
  /** Calls that may be open at once; at least 1. */
  readonly maxInFlight: number;
}

/**
 * Lets calls through one by one, in the order they came: at most so many a second (a token bucket) and so many at once.
 * Urgent calls pass at once and take no place: a leader renews its Lease however long the line is.
 */
export class CallGate {
  readonly #budget: CallBudget;
  readonly #clock: Clock;
  readonly #line = new Set<() => void>();
  #open = 0;
  #tokens: number;
  #filledAt: number;
  #heldUntil: number;
  #waking = false;

  constructor(budget: CallBudget, clock: Clock) {
    this.#budget = budget;
    this.#clock = clock;
    this.#tokens = budget.burst;
    this.#filledAt = clock.now();
    this.#heldUntil = clock.now();
  }

  /** How many calls wait in line. */
  get waiting(): number {
    return this.#line.size;
  }

  /** How many calls are open. */
  get open(): number {
    return this.#open;
  }

  /** Waits for its turn. Returns what must be called once when the call is over. Rejects when `signal` is aborted. */
  async enter(priority: CallPriority, signal: AbortSignal): Promise<() => void> {
    if (priority === 'urgent') return () => undefined;
    await this.#turn(signal);
    return () => {
      this.#open -= 1;
      this.#advance();
    };
  }

  /** Lets nobody through for `ms`, because the server said that it is overloaded. Urgent calls still pass. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.delete(pass);
        reject(signal.reason instanceof Error ? signal.reason : new Error('the call was given up in line'));
      };
      const pass = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#line.add(pass);
      this.#advance();
    });
  }

  #advance(): void {
    for (const pass of this.#line) {
      if (this.#open >= this.#budget.maxInFlight) return;
      const waitMs = this.#waitMs();
      if (waitMs > 0) return this.#wakeIn(waitMs);
      this.#tokens -= 1;
      this.#open += 1;
      this.#line.delete(pass);
      pass();
    }
  }

  /** How long until the next call may pass. */
  #waitMs(): number {
    const now = this.#clock.now();
    const { qps, burst } = this.#budget;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) * qps) / 1000);
    this.#filledAt = now;
    return Math.max(this.#heldUntil - now, ((1 - this.#tokens) * 1000) / qps, 0);
  }

  #wakeIn(ms: number): void {
    if (this.#waking) return;
    this.#waking = true;
    // Never early: a rounded-down timer would only find that it must wait again.
    void this.#clock.sleep(Math.ceil(ms)).then(() => {
      this.#waking = false;
      this.#advance();
    });
  }
}

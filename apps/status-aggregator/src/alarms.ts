import type { KeyTimers } from '@executor-status/controller';
import type { Plan } from './plan-status.ts';
import type { WriteBudget } from './write-budget.ts';

interface AlarmParts {
  readonly timers: Pick<KeyTimers, 'set' | 'clear'>;
  readonly budget: Pick<WriteBudget, 'leave'>;
}

/** When an executor must be looked at although nothing has changed; by key. */
export class Alarms {
  readonly #parts: AlarmParts;

  constructor(parts: AlarmParts) {
    this.#parts = parts;
  }

  /** Comes back when time alone changes the plan, or after `waitMs`; a plan that waits for nothing leaves no alarm behind. */
  wake(key: string, plan: Plan, waitMs = Number.POSITIVE_INFINITY): void {
    const { timers } = this.#parts;
    const wakeInMs = 'wakeInMs' in plan ? plan.wakeInMs : undefined;
    const inMs = Math.min(waitMs, wakeInMs ?? Number.POSITIVE_INFINITY);
    if (Number.isFinite(inMs)) timers.set(key, inMs);
    else timers.clear(key);
  }

  /** The same, and keeps no place in the line of writes. */
  pause(key: string, plan: Plan, waitMs?: number): void {
    this.#parts.budget.leave(key);
    this.wake(key, plan, waitMs);
  }

  /** Never comes back. */
  forget(key: string): void {
    this.#parts.budget.leave(key);
    this.#parts.timers.clear(key);
  }
}

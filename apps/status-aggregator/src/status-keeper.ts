import { type Executor, encodedBytes } from '@executor-status/api';
import type { KeyTimers } from '@executor-status/controller';
import { type Account, newAccount } from './account.ts';
import { type Announcing, announceWrite } from './announce-write.ts';
import { paceAfter, paceAtRest, planSpacing, type SpacingSettings } from './plan-spacing.ts';
import { type Plan, rememberWrite, type Write } from './plan-status.ts';
import { isTooLarge, restAfterMs } from './rest-after.ts';
import { type LookParts, StatusLooks } from './status-looks.ts';
import type { WriteBudget } from './write-budget.ts';
import type { WriteResult } from './write-status.ts';

/** What keeping statuses needs. */
export interface KeeperParts extends LookParts, Announcing {
  readonly budget: WriteBudget;
  /** When an executor must be looked at although nothing has changed. */
  readonly timers: Pick<KeyTimers, 'set' | 'clear'>;
  /** Asks for a look at an executor. */
  readonly ask: (key: string) => void;
  readonly spacing: SpacingSettings;
  /** Least time between two looks at one executor, in milliseconds: a burst of reports becomes a few looks. */
  readonly lookMs: number;
  readonly random: () => number;
}

/**
 * Keeps the status of each executor: looks, plans, and writes when it is time and this process leads. A follower looks and plans
 * too, so that it knows all that only time tells when it takes over.
 */
export class StatusKeeper {
  readonly #parts: KeeperParts;
  readonly #looks: StatusLooks;
  readonly #accounts = new Map<string, Account>();

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#looks = new StatusLooks(parts);
  }

  /** Lets the next look at each executor ask the server, in case the watch has missed something. */
  doubtAll(): void {
    for (const account of this.#accounts.values()) account.doubted = true;
  }

  /** Lets the next writes try the fields that the CRDs lacked. */
  tryAllFields(): void {
    this.#parts.writer.forgetDropped();
  }

  /** Looks at the executor `key` and does what is due. Rejects when a call failed; the key comes back by itself. */
  async reconcile(key: string): Promise<void> {
    const { world, timers, lookMs, now } = this.#parts;
    // Whenever a first list completes, all keys are asked for again.
    if (!world.synced) return;
    const account = this.#account(key);
    // A look at thousands of pods takes milliseconds: a stream of reports must not make it the only work.
    const earlyMs = account.lookedMs + Math.max(lookMs, account.plannedInMs * REST_PER_WORK) - now();
    if (earlyMs > 0) return timers.set(key, earlyMs);
    account.lookedMs = now();
    this.#tellSet(key);
    try {
      await this.#act(key, account);
    } catch (error) {
      account.failures++;
      const restMs = restAfterMs(error, account.failures, this.#parts.random);
      account.restUntilMs = now() + restMs;
      timers.set(key, restMs);
      throw error;
    }
  }

  async #act(key: string, account: Account): Promise<void> {
    const { executor, plan } = await this.#looks.look(key, account);
    if (executor === undefined) return this.#forget(key);
    if (plan.kind === 'write') return this.#writeWhenDue({ key, account, executor, plan });
    account.pace = paceAtRest(account.pace);
    this.#wake(key, plan);
  }

  #tellSet(key: string): void {
    const { blocking, world, ask } = this.#parts;
    if (!blocking.refresh(key)) return;
    for (const other of world.setOf(key)) if (other !== key) ask(other);
  }

  async #writeWhenDue({ key, account, executor, plan }: Due): Promise<void> {
    const { budget, isLeader, now, spacing } = this.#parts;
    if (!isLeader()) return this.#wake(key, plan);
    const wish = { ...plan, bytes: encodedBytes(plan.status) };
    const spaced = planSpacing(account.pace, wish, { settings: spacing, nowMs: now() });
    account.pace = spaced.pace;
    const waitMs = Math.max(spaced.dueInMs, account.restUntilMs - now()) || budget.take(now());
    if (waitMs > 0) return this.#wake(key, plan, waitMs);
    account.pace = paceAfter(account.pace, wish, { settings: spacing, nowMs: now() });
    const replan = (live: Executor | undefined) => this.#looks.plan(key, account, { live });
    const result = await this.#parts.writer.write(executor, plan, replan).catch((error: unknown) => {
      shrinkIfTooLarge(account, error, wish.bytes);
      throw error;
    });
    this.#took({ key, account, executor }, result);
    account.failures = 0;
  }

  #took({ key, account, executor }: Omit<Due, 'plan'>, result: WriteResult): void {
    switch (result.kind) {
      case 'not-leader':
        return;
      case 'needless':
        return this.#wake(key, result.plan);
      case 'written': {
        const { plan, answer } = result;
        const before = plan.memory.written?.wanted ?? executor.status;
        this.#parts.world.remember(answer);
        account.memory = rememberWrite(plan, answer);
        this.#wake(key, plan);
        announceWrite(this.#parts, { ...result, key, before });
      }
    }
  }

  /** Comes back when time alone changes the plan, or after `waitMs`; a plan that waits for nothing leaves no alarm behind. */
  #wake(key: string, plan: Plan, waitMs = Number.POSITIVE_INFINITY): void {
    const { timers } = this.#parts;
    const wakeInMs = 'wakeInMs' in plan ? plan.wakeInMs : undefined;
    const inMs = Math.min(waitMs, wakeInMs ?? Number.POSITIVE_INFINITY);
    if (Number.isFinite(inMs)) timers.set(key, inMs);
    else timers.clear(key);
  }

  #account(key: string): Account {
    const account = this.#accounts.get(key) ?? newAccount();
    this.#accounts.set(key, account);
    return account;
  }

  #forget(key: string): void {
    this.#accounts.delete(key);
    this.#parts.timers.clear(key);
  }
}

/** What the server found too large is never sent again as it was, but half as large at most. */
function shrinkIfTooLarge(account: Account, error: unknown, bytes: number): void {
  if (isTooLarge(error)) account.maxStatusBytes = Math.floor(bytes / 2);
}

/** One executor may keep the processor busy for about a tenth of the time. */
const REST_PER_WORK = 10;

interface Due {
  readonly key: string;
  readonly account: Account;
  readonly executor: Executor;
  readonly plan: Write;
}

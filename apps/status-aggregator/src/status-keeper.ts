import { type Executor, type ExecutorPodStatus, encodedBytes } from '@executor-status/api';
import type { Change } from '@executor-status/controller';
import {
  type Account,
  awaitProgress,
  beginLook,
  type Due,
  newAccount,
  nextLookMs,
  restAfterTry,
  takesPatiently,
} from './account.ts';
import { Alarms } from './alarms.ts';
import { announceWrite } from './announce-write.ts';
import { executorKey } from './executor-key.ts';
import type { KeeperParts } from './keeper-parts.ts';
import { paceAfter, paceAtRest, planSpacing } from './plan-spacing.ts';
import { isDone, type Plan, rememberWrite } from './plan-status.ts';
import { NO_REST, restLeftMs } from './rest-after.ts';
import { StatusLooks } from './status-looks.ts';
import type { WriteResult } from './write-status.ts';

/**
 * Keeps the status of each executor: looks, plans, and writes when it is time and this process leads. A follower looks and plans
 * too, so that it knows all that only time tells when it takes over.
 */
export class StatusKeeper {
  readonly #parts: KeeperParts;
  readonly #looks: StatusLooks;
  readonly #alarms: Alarms;
  readonly #accounts = new Map<string, Account>();

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#looks = new StatusLooks(parts);
    this.#alarms = new Alarms(parts);
  }

  /** Lets the next look at each executor ask the server, in case the watch has missed something. */
  doubtAll(): void {
    for (const account of this.#accounts.values()) account.doubted = true;
  }

  /** Lets the next writes try the fields that the CRDs lacked. */
  tryAllFields(): void {
    this.#parts.writer.forgetDropped();
  }

  /** Whether a look at `key` comes by itself in a moment, so that news need not ask for one: in a burst, nearly all of it. */
  isAboutToLook(key: string): boolean {
    const account = this.#accounts.get(key);
    return account !== undefined && account.looksAtMs > this.#parts.now();
  }

  /** Whether what has changed in a report need not be looked at before the next write of progress. */
  canWait(change: Change<ExecutorPodStatus>): boolean {
    const { world, now } = this.#parts;
    const key = change.after && executorKey(change.after.spec.executorRef);
    const [account, executor] = key === undefined ? [] : [this.#accounts.get(key), world.executor(key)];
    if (account === undefined || executor === undefined) return false;
    return takesPatiently(account, change, { executor, nowMs: now() });
  }

  /** Looks at the executor `key` and does what is due. Rejects when a call failed; the key comes back by itself. */
  async reconcile(key: string): Promise<void> {
    const { world, timers, lookMs, maxLookMs, now, turn } = this.#parts;
    // Whenever a first list completes, all keys are asked for again.
    if (!world.synced) return;
    const account = this.#account(key);
    const nowMs = now();
    account.looksAtMs = nextLookMs(account, { lookMs, maxLookMs, accounts: this.#accounts.size });
    if (account.looksAtMs > nowMs) return timers.set(key, account.looksAtMs - nowMs);
    beginLook(account, nowMs);
    await turn();
    this.#tellSet(key);
    try {
      await this.#act(key, account);
    } catch (error) {
      this.#failed(key, account, error);
      throw error;
    }
  }

  async #act(key: string, account: Account): Promise<void> {
    const { executor, plan } = await this.#looks.look(key, account);
    if (executor === undefined) return this.#forget(key);
    if (plan.kind === 'write') return this.#writeWhenDue({ key, account, executor, plan });
    account.pace = paceAtRest(account.pace);
    if (isDone(plan)) this.#parts.trouble.calm(key);
    // A read that has failed is still to be made.
    this.#alarms.pause(key, plan, restLeftMs(account.rest, this.#parts.now()) || undefined);
  }

  #failed(key: string, account: Account, error: unknown): void {
    const { budget, timers, now, random, retryTimes: times } = this.#parts;
    budget.leave(key);
    timers.set(key, restAfterTry(account, error, { nowMs: now(), random, times }));
  }

  #tellSet(key: string): void {
    const { blocking, world, ask } = this.#parts;
    if (!blocking.refresh(key)) return;
    for (const other of world.setOf(key)) if (other !== key) ask(other);
  }

  async #writeWhenDue({ key, account, executor, plan }: Due): Promise<void> {
    const { writer, isLeader, now, spacing } = this.#parts;
    // A leader looks at everything again once it may write again.
    if (!isLeader()) {
      account.patience = { ...plan.awaited, untilMs: now() + spacing.progressMs };
      return this.#alarms.pause(key, plan);
    }
    const wish = { ...plan, bytes: encodedBytes(plan.status) };
    const spaced = planSpacing(account.pace, wish, { settings: spacing, nowMs: now() });
    account.pace = spaced.pace;
    const restMs = restLeftMs(account.rest, now(), plan.status);
    const waitMs = Math.max(spaced.dueInMs, restMs);
    if (waitMs > 0) {
      account.dueMs = now() + waitMs;
      // A rest after a refusal holds for this very content only: what is new may go at once.
      if (plan.urgency === 'progress' && restMs <= spaced.dueInMs)
        account.patience = { ...plan.awaited, untilMs: now() + waitMs };
      return this.#alarms.pause(key, plan, waitMs);
    }
    const lineMs = this.#parts.budget.claim(key, plan.urgency, now());
    if (lineMs > 0) return this.#alarms.wake(key, plan, lineMs);
    account.pace = paceAfter(account.pace, wish, { settings: spacing, nowMs: now() });
    account.trying = { plan, before: executor.status };
    const result = await writer.write(executor, plan, (live) => this.#replan(key, account, live));
    delete account.trying;
    if (result.kind !== 'not-leader') account.rest = NO_REST;
    this.#took({ key, account, executor, plan }, result);
  }

  /** What is tried again at once cannot wait for its turn; it is paid for all the same. */
  #replan(key: string, account: Account, live: Executor | undefined): Plan {
    const plan = this.#looks.plan(key, account, { live });
    if (plan.kind !== 'write') return plan;
    account.trying = { plan, before: live?.status };
    this.#parts.budget.spend(this.#parts.now());
    return plan;
  }

  #took({ key, account, executor, plan: wanted }: Due, result: WriteResult): void {
    switch (result.kind) {
      case 'not-leader':
        return this.#alarms.wake(key, wanted);
      case 'needless':
        if (isDone(result.plan)) this.#parts.trouble.calm(key);
        return this.#alarms.wake(key, result.plan);
      case 'written': {
        const { plan, answer } = result;
        const before = plan.memory.written?.wanted ?? executor.status;
        this.#parts.world.remember(answer);
        account.memory = rememberWrite(plan, answer);
        account.unanswered = [];
        const { spacing, now } = this.#parts;
        this.#alarms.wake(key, plan, awaitProgress(account, plan, { spacing, nowMs: now() }));
        announceWrite(this.#parts, { ...result, key, before });
      }
    }
  }

  #account(key: string): Account {
    const account = this.#accounts.get(key) ?? newAccount();
    this.#accounts.set(key, account);
    return account;
  }

  #forget(key: string): void {
    this.#accounts.delete(key);
    this.#parts.trouble.calm(key);
    this.#alarms.forget(key);
  }
}

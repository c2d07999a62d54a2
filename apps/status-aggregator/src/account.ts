import type { Executor, ExecutorPodStatus, ExecutorStatus } from '@executor-status/api';
import type { Change } from '@executor-status/controller';
import { KubeError } from '@executor-status/kube';
import type { ExecutorMemory } from './executor-memory.ts';
import { type Patience, patienceAfter } from './patience.ts';
import { nextProgressMs, type Pace, paceWaiting, type SpacingSettings } from './plan-spacing.ts';
import type { Write } from './plan-status.ts';
import { type FailedCall, NO_REST, type Rest, restAfter, restLeftMs } from './rest-after.ts';
import { type SizeLimit, sizeLimitAfter } from './size-limit.ts';

/** What is kept of one executor between two looks. Times are on the monotonic clock. */
export interface Account {
  memory?: ExecutorMemory;
  pace: Pace;
  lookedMs: number;
  /** Until then it rests: something has happened, and its alarm is set for when it may be looked at again. */
  looksAtMs: number;
  /** When a write is due that waits for nothing but time: then it may be looked at however short ago it was. */
  dueMs: number;
  /** How long the last plan took. */
  plannedInMs: number;
  /** The watch may have missed something: read the executor from the server at the next look. */
  doubted: boolean;
  sizeLimit?: SizeLimit;
  rest: Rest;
  patience?: Patience | undefined;
  /** The write that is on its way, as it was last tried. */
  trying?: Try;
  /** The last ones without an answer, the oldest first: one of them may have been stored. */
  unanswered: readonly Try[];
}

/** A write that was sent, and what was stored before. */
export interface Try {
  readonly plan: Write;
  readonly before: ExecutorStatus | undefined;
}

/** A write that wants to be made. */
export interface Due {
  readonly key: string;
  readonly account: Account;
  /** As the plan was made for it. */
  readonly executor: Executor;
  readonly plan: Write;
}

/** When it may be looked at next: a look at thousands of pods takes milliseconds, and many reports must not make it the only work. */
export function nextLookMs(
  account: Account,
  {
    lookMs,
    maxLookMs,
    accounts,
  }: { readonly lookMs: number; readonly maxLookMs: number; readonly accounts: number },
): number {
  const restMs = Math.min(account.plannedInMs * accounts * REST_PER_WORK, maxLookMs);
  return Math.min(account.lookedMs + Math.max(lookMs, restMs), account.dueMs);
}

/** Notes that it is looked at now: nothing waits for a look any more. */
export function beginLook(account: Account, nowMs: number): void {
  account.lookedMs = nowMs;
  account.dueMs = Number.POSITIVE_INFINITY;
  account.patience = undefined;
}

/** All executors together may keep the processor busy for about a fortieth of the time. */
const REST_PER_WORK = 40;

/** Whether a change of a report need not be looked at before the next write of progress, which then tells of it. */
export function takesPatiently(
  account: Account,
  change: Change<ExecutorPodStatus>,
  { executor, nowMs }: { readonly executor: Executor; readonly nowMs: number },
): boolean {
  account.patience = patienceAfter(account.patience, change, { executor, nowMs });
  if (account.patience === undefined) return false;
  account.pace = paceWaiting(account.pace, nowMs);
  return true;
}

/**
 * While much is awaited, the next look after a write is for the next write of progress.
 *
 * @returns in how many milliseconds that is; undefined when the next report is to be looked at.
 */
export function awaitProgress(
  account: Account,
  { awaited }: Write,
  { spacing, nowMs }: { readonly spacing: SpacingSettings; readonly nowMs: number },
): number | undefined {
  if (awaited.count <= 1) return undefined;
  const untilMs = nextProgressMs(account.pace, spacing);
  account.patience = { ...awaited, untilMs };
  return untilMs - nowMs;
}

/**
 * Notes that the write that was on its way, or a read, has failed; a write may be stored all the same.
 *
 * @returns for how many milliseconds it rests.
 */
export function restAfterTry(
  account: Account,
  error: unknown,
  { nowMs, ...pauses }: Pick<FailedCall, 'nowMs' | 'random' | 'times'>,
): number {
  const { trying } = account;
  delete account.trying;
  if (trying !== undefined && mayBeStored(error))
    account.unanswered = [...account.unanswered, trying].slice(-MAX_UNANSWERED);
  const status = trying?.plan.status;
  account.rest = restAfter(account.rest, error, { status, nowMs, ...pauses });
  const sizeLimit = trying && sizeLimitAfter(error, trying.plan, nowMs);
  if (sizeLimit !== undefined) account.sizeLimit = sizeLimit;
  return restLeftMs(account.rest, nowMs, status);
}

/** More writes than this in a row are lost in an outage only, and then the first ones were not stored. */
const MAX_UNANSWERED = 5;

/** Only an answer that the write was not taken says so. */
const mayBeStored = (error: unknown) => !(error instanceof KubeError) || (error.code ?? 500) >= 500;

/** The account of an executor that was never looked at. */
export function newAccount(): Account {
  return {
    pace: {},
    lookedMs: Number.NEGATIVE_INFINITY,
    looksAtMs: Number.NEGATIVE_INFINITY,
    dueMs: Number.POSITIVE_INFINITY,
    plannedInMs: 0,
    doubted: false,
    rest: NO_REST,
    unanswered: [],
  };
}

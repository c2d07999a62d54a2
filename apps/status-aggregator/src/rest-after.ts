import type { ExecutorStatus } from '@executor-status/api';
import { backoffMs } from '@executor-status/controller';
import { KubeError } from '@executor-status/kube';
import type { RetryTimes } from './retry-settings.ts';
import { sameValue } from './same-status.ts';

/** How an executor's status is left alone after failed calls. Times are on the monotonic clock. */
export interface Rest {
  /** How many calls have failed in a row, and until when none is made, whatever it is about. */
  readonly failures: number;
  readonly untilMs: number;
  /** What the server has read and will not have: only that is left alone, since other content may help. */
  readonly refused?: Refused;
}

interface Refused {
  readonly status: ExecutorStatus;
  /** How often in a row. */
  readonly times: number;
  readonly untilMs: number;
}

/** Nothing has failed. */
export const NO_REST: Rest = { failures: 0, untilMs: 0 };

/**
 * The rest after one more failed call. A pause that the server asked for is kept.
 *
 * @param failed - what was to be written; undefined for a read. `random` returns a number in [0, 1).
 */
export function restAfter(rest: Rest, error: unknown, failed: FailedCall): Rest {
  const { status, nowMs, random, times } = failed;
  const backoff = { baseMs: times.retryBaseMs, jitter: JITTER };
  if (status !== undefined && isRefused(error)) {
    const refusals = isRefusedBefore(rest, status) ? (rest.refused?.times ?? 0) + 1 : 1;
    // Only a change helps, or another version of the server.
    const ownMs = backoffMs(refusals, { ...backoff, maxMs: times.refusedRetryMaxMs }, random);
    return { ...NO_REST, refused: { status, times: refusals, untilMs: nowMs + pauseMs(error, ownMs) } };
  }
  const failures = rest.failures + 1;
  const ownMs = backoffMs(failures, { ...backoff, maxMs: times.retryMaxMs }, random);
  return { ...rest, failures, untilMs: nowMs + pauseMs(error, ownMs) };
}

/** A call that failed, and what decides for how long to rest. */
export interface FailedCall {
  readonly status: ExecutorStatus | undefined;
  readonly nowMs: number;
  readonly random: () => number;
  readonly times: RetryTimes;
}

/** The rest after a call that the server has answered. */
export function restAfterAnswer({ refused }: Rest): Rest {
  return { ...NO_REST, ...(refused && { refused }) };
}

/** For how many milliseconds no call is to be made, or `status` is not to be written. */
export function restLeftMs(rest: Rest, nowMs: number, status?: ExecutorStatus): number {
  const refusedMs = status !== undefined && isRefusedBefore(rest, status) ? (rest.refused?.untilMs ?? 0) : 0;
  return Math.max(0, rest.untilMs - nowMs, refusedMs - nowMs);
}

const JITTER = 0.2;

function pauseMs(error: unknown, ownMs: number): number {
  const asked = error instanceof KubeError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, ownMs);
}

function isRefused(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 400 || error.code === 413 || error.code === 422);
}

function isRefusedBefore({ refused }: Rest, status: ExecutorStatus): boolean {
  return refused !== undefined && sameValue(timeless(refused.status), timeless(status));
}

/** A condition that is never stored is dated anew at each look. */
function timeless({ conditions = [], ...status }: ExecutorStatus): unknown {
  return { ...status, conditions: conditions.map(({ lastTransitionTime: _time, ...said }) => said) };
}

import { type Backoff, backoffMs } from '@executor-status/controller';
import { KubeError } from '@executor-status/kube';

/**
 * How long an executor's status is left alone after a failed write, in milliseconds. A pause that the server asked for is kept.
 *
 * @param failures - how many writes have failed in a row; at least 1.
 * @param random - returns a number in [0, 1).
 */
export function restAfterMs(error: unknown, failures: number, random: () => number): number {
  const asked = error instanceof KubeError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, backoffMs(failures, isRefused(error) ? REFUSED : OUTAGE, random));
}

// Ends below 30 s, so that a status is right again soon after an outage.
const OUTAGE: Backoff = { baseMs: 1000, maxMs: 20_000, jitter: 0.2 };
// The server has read it and will not have it: only other content can help, and that comes with a change.
const REFUSED: Backoff = { baseMs: 1000, maxMs: 300_000, jitter: 0.2 };

function isRefused(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 400 || error.code === 413 || error.code === 422);
}

/** Whether the API server, or etcd behind it, refused a write for its size. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 413 || /request is too large/i.test(error.message));
}

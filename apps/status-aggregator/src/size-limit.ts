import { encodedBytes } from '@executor-status/api';
import { KubeError } from '@executor-status/kube';
import type { Write } from './plan-status.ts';

/** Most bytes of a status, since the server has refused a larger one; and which generation that was about, and when. */
export interface SizeLimit {
  readonly bytes: number;
  readonly generation: number;
  /** On the monotonic clock. */
  readonly sinceMs: number;
}

/**
 * What the server found too large is not sent again as it was, but half as large at most. Undefined when size was not the reason.
 *
 * @param tried - what was sent, and `nowMs` when.
 */
export function sizeLimitAfter(error: unknown, tried: Write, nowMs: number): SizeLimit | undefined {
  if (!isTooLarge(error)) return undefined;
  const { status, memory } = tried;
  return { bytes: Math.floor(encodedBytes(status) / 2), generation: memory.generation, sinceMs: nowMs };
}

/**
 * Whether `limit` still holds: not after an edit, nor once it is `sizeRetryMs` old, since the server may take more by then.
 *
 * @param at - the generation and the time now.
 */
export function holdsLimit(
  limit: SizeLimit,
  at: { readonly generation: number; readonly nowMs: number },
  sizeRetryMs: number,
): boolean {
  return limit.generation === at.generation && at.nowMs - limit.sinceMs < sizeRetryMs;
}

/** The API server, or etcd behind it, refused a write for its size. */
function isTooLarge(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 413 || /request is too large/i.test(error.message));
}

import type { Executor } from '@executor-status/api';
import type { ExecutorMemory } from './executor-memory.ts';
import { type FieldPath, nameFields } from './name-fields.ts';
import { sameStatus } from './same-status.ts';

/** From this many rewrites within the time on, somebody contends for the status. */
const CONTENTION = 3;

/** What other managers did to our fields. */
export interface Rewrites {
  /** When, on the monotonic clock; those that still count. */
  readonly rewrites: readonly number[];
  /** Since when our last write has been found changed; absent while it stands. */
  readonly rewrittenMs?: number;
  readonly contended: boolean;
  /** Milliseconds until it is no longer contended, if nothing more happens. */
  readonly calmInMs?: number;
}

/** Compares what is stored with the answer to our own last write. However often it is rewritten until our next write, it counts once. */
export function trackRewrites(
  executor: Executor,
  memory: ExecutorMemory,
  {
    contentionMs,
    dropped,
    nowMs,
  }: { readonly contentionMs: number; readonly dropped: readonly FieldPath[]; readonly nowMs: number },
): Rewrites {
  const recent = memory.rewrites.filter((atMs) => nowMs - atMs < contentionMs);
  const rewrittenMs = isRewritten(executor, memory, dropped) ? (memory.rewrittenMs ?? nowMs) : undefined;
  const isNew = rewrittenMs !== undefined && memory.rewrittenMs === undefined;
  // Those before the last few never matter again.
  const rewrites = (isNew ? [...recent, nowMs] : recent).slice(-CONTENTION);
  const contended = rewrites.length >= CONTENTION;
  const [oldest = nowMs] = rewrites;
  return {
    rewrites,
    contended,
    ...(rewrittenMs !== undefined && { rewrittenMs }),
    ...(contended && { calmInMs: oldest + contentionMs - nowMs }),
  };
}

function isRewritten(
  executor: Executor,
  { written }: ExecutorMemory,
  dropped: readonly FieldPath[],
): boolean {
  if (written?.answer.status === undefined) return false;
  if (written.answer.metadata.resourceVersion === executor.metadata.resourceVersion) return false;
  return !sameStatus(executor.status, nameFields(written.answer.status, dropped));
}

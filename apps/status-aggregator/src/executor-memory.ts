import type { ConditionReason, Executor, ExecutorStatus } from '@executor-status/api';
import type { NamedStatus } from './name-fields.ts';

/**
 * What this process remembers of one executor object from one look to the next: times on its own monotonic clock, and
 * what it wrote last. A value; each plan returns the next one. Followers keep it too, so that a new leader changes nothing.
 */
export interface ExecutorMemory {
  readonly uid: string;
  readonly generation: number;
  /** When this generation was first seen here, on the monotonic clock. */
  readonly generationSeenMs: number;
  /** The uids of pods that were already past their grace when this process first looked. */
  readonly pastGrace: ReadonlySet<string>;
  /** The generation that is known here to be settled; 0 for none. */
  readonly settledGeneration: number;
  /** The uids of pods that were there when its first failure settled it, and have yet to build it. */
  readonly awaited: ReadonlySet<string>;
  /** What the four fields of the verdict said last. */
  readonly statement?: Statement;
  /** The latest failure of this generation, while it holds back a success; unknown when one was found stored at the first look. */
  readonly failing?: Held<Statement | undefined>;
  /**
   * What Ready last said of this generation since its latest failure, while it holds back a True; unknown when a False was found
   * stored at the first look.
   */
  readonly unready?: Held<Unready | undefined>;
  /** The error groups that were shown for this generation. */
  readonly shownGroups: ReadonlySet<string>;
  /** The pods that were missing past their grace or stale in our last write; see `faultyPods`. Absent before it. */
  readonly shownFaulty?: readonly string[];
  /** The last write of this process. */
  readonly written?: Written;
  /** When other managers rewrote our fields, on the monotonic clock, latest last; the last few that still count. */
  readonly rewrites: readonly number[];
  /** Who rewrote them last, where managedFields say so; our next write may take its last field away from it. */
  readonly rewriter?: string;
  /** Since when our last write has been found changed by another manager; absent while it stands. */
  readonly rewrittenMs?: number;
}

/** The four fields that speak of one generation and move together. */
export interface Statement {
  /** 0 when nothing is settled yet. */
  readonly generation: number;
  readonly succeeded: boolean;
  readonly error: string;
  readonly briefError: string;
}

/** A Ready that is not True. */
export interface Unready {
  readonly status: 'False' | 'Unknown';
  readonly reason: ConditionReason<'Ready'>;
  readonly message: string;
}

/** A failure, kept a while after it is over. */
export interface Held<T> {
  readonly content: T;
  /** When it was first seen to be over; absent while it lasts. */
  readonly overSinceMs?: number;
}

/** A write and its answer: what later looks are compared with, never an older cache. */
export interface Written {
  /** The whole of it. */
  readonly wanted: ExecutorStatus;
  /** What of it the CRD has fields for. */
  readonly sent: NamedStatus;
  readonly answer: Executor;
}

/** The memory of an executor that is looked at for the first time; `before` is what was remembered under its name. */
export function recall(
  executor: Executor,
  before: ExecutorMemory | undefined,
  nowMs: number,
): { readonly memory: ExecutorMemory; readonly firstLook: boolean } {
  const { uid = '', generation = 0 } = executor.metadata;
  if (before?.uid !== uid) return { memory: newMemory(uid, generation, nowMs), firstLook: true };
  if (before.generation === generation) return { memory: before, firstLook: false };
  // A failure of an older generation neither holds back a newer one nor has shown its errors.
  const { failing: _failing, unready: _unready, ...kept } = before;
  const memory = { ...kept, generation, generationSeenMs: nowMs, shownGroups: new Set<string>() };
  return { memory, firstLook: false };
}

function newMemory(uid: string, generation: number, nowMs: number): ExecutorMemory {
  return {
    uid,
    generation,
    generationSeenMs: nowMs,
    pastGrace: new Set(),
    settledGeneration: 0,
    awaited: new Set(),
    shownGroups: new Set(),
    rewrites: [],
  };
}

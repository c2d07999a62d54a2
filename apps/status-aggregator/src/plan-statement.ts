import { boundBriefError, boundError, type Executor, type PodCounts } from '@executor-status/api';
import type { ExecutorMemory, Held, Statement } from './executor-memory.ts';
import type { FailingPods } from './group-pods.ts';
import { hideNames, hidesAnything, namesOf } from './hide-names.ts';
import { hasFailed, isOverdue, isWaited, type JudgedPod } from './judge-pods.ts';
import { buildingText, unhealthyText } from './sentences.ts';
import type { StatusSettings } from './status-settings.ts';

/** What is known when the verdict is stated. */
export interface Stating {
  readonly executor: Executor;
  readonly pods: readonly JudgedPod[];
  readonly counts: PodCounts;
  readonly failing: readonly FailingPods[];
  readonly memory: ExecutorMemory;
  readonly settings: StatusSettings;
  /** False where the CRD has no observedGeneration to store. */
  readonly storesGeneration: boolean;
  readonly nowMs: number;
}

/** The verdict and whether it speaks of the newest generation. */
export interface Stated {
  readonly settled: boolean;
  readonly statement: Statement;
  /** What stands from now on until something newer is settled; absent while nothing ever was. */
  readonly standing?: Statement;
  /** The failure that holds back a success, or will when it is over. */
  readonly failing?: Held<Statement | undefined>;
  /** The uids of pods that were there when the generation was settled by its first failure, and have yet to build it. */
  readonly awaited: ReadonlySet<string>;
}

/**
 * The verdict of design 5.3. While the newest generation is not settled, and while nothing is up to date, the statement
 * that was made before stands; a success waits until there was no failure for a while.
 */
export function planStatement(stating: Stating): Stated {
  const carried = carriedStatement(stating);
  const standing = carried === undefined ? { statement: building(stating) } : saying(carried);
  if (!isSettled(stating, carried)) return { settled: false, awaited: new Set(), ...standing };

  const { memory, counts, nowMs, settings } = stating;
  const settled = { settled: true, awaited: awaitedPods(stating, carried) };
  const failure = unhealthyStatement(stating);
  if (failure !== undefined) return { ...settled, ...saying(failure), failing: { content: failure } };
  const held = whileHeld(memory.failing, nowMs, settings.successHoldMs);
  const rest = { ...settled, ...(held && { failing: held }) };
  if (counts.succeeded === 0 || settled.awaited.size > 0) return { ...rest, ...standing };
  const success = { generation: memory.generation, succeeded: true, error: '', briefError: '' };
  // A failure that was found stored at the first look is what has been said until now.
  return { ...rest, ...saying(held === undefined ? success : (held.content ?? carried ?? success)) };
}

const saying = (statement: Statement) => ({ statement, standing: statement });

/** A failure that is over at `nowMs`, unless it has been over for `holdMs`. */
export function whileHeld<T>(
  held: Held<T> | undefined,
  nowMs: number,
  holdMs: number,
): Required<Held<T>> | undefined {
  if (held === undefined) return undefined;
  const overSinceMs = held.overSinceMs ?? nowMs;
  return nowMs - overSinceMs < holdMs ? { content: held.content, overSinceMs } : undefined;
}

/** Once settled, a generation stays settled: pods that appear later move only counts. */
function isSettled({ pods, counts, memory }: Stating, carried: Statement | undefined): boolean {
  if (memory.generation === memory.settledGeneration || memory.generation === carried?.generation)
    return true;
  if (pods.some(hasFailed)) return true;
  const waited = pods.filter(isWaited);
  return waited.length === 0 ? counts.upToDate > 0 : waited.every(isOverdue);
}

/**
 * A first failure settles a generation before all pods have built it. Should the failure end, those that have not built it are
 * still to be waited for; pods that appear later are not.
 */
function awaitedPods({ pods, memory }: Stating, carried: Statement | undefined): ReadonlySet<string> {
  const unbuilt = pods.filter((pod) => hasFailed(pod) || (isWaited(pod) && !isOverdue(pod)));
  const uids = unbuilt.map(({ pod }) => pod.metadata.uid);
  if (memory.generation === memory.settledGeneration)
    return new Set(uids.filter((uid) => memory.awaited.has(uid)));
  const settledBefore = memory.generation === carried?.generation;
  return settledBefore && carried.succeeded ? new Set() : new Set(uids);
}

/** What this process said last, or else what is stored. */
function carriedStatement(stating: Stating): Statement | undefined {
  const { executor, memory, storesGeneration } = stating;
  if (memory.written !== undefined) return memory.statement;
  const stored = storedStatement(executor, storesGeneration);
  return stored === undefined ? memory.statement : withHiddenNames(stored, stating);
}

/** It may have been stored before names were hidden: by what is known of pods now, and by what it says of them itself. */
function withHiddenNames(stored: Statement, { executor, pods, settings }: Stating): Statement {
  if (!hidesAnything(settings) || (stored.error === '' && stored.briefError === '')) return stored;
  const listed = (executor.status?.byPod ?? []).map(({ id, podUID: uid, nodeName }) => ({
    name: id,
    uid,
    nodeName,
  }));
  const known = [...listed, ...pods.map(({ pod }) => namesOf(pod))];
  const hide = (text: string) => hideNames(text, known, settings);
  return {
    ...stored,
    error: boundError(hide(stored.error)),
    briefError: boundBriefError(hide(stored.briefError)),
  };
}

/**
 * A stored generation that is absent or in the future cannot be ours; where the CRD has no such field, the other three stand
 * all the same.
 */
function storedStatement({ status, metadata }: Executor, storesGeneration: boolean): Statement | undefined {
  if (status === undefined) return undefined;
  const { succeeded, error = '', briefError = '', observedGeneration = 0 } = status;
  const valid = observedGeneration >= 1 && observedGeneration <= (metadata.generation ?? 0);
  if (!valid && storesGeneration) return undefined;
  return { generation: valid ? observedGeneration : 0, succeeded, error, briefError };
}

function building({ counts, settings }: Stating): Statement {
  const text = buildingText(counts, settings.detail);
  return { generation: 0, succeeded: false, error: text, briefError: text };
}

function unhealthyStatement({ pods, counts, failing, memory }: Stating): Statement | undefined {
  const overdue = pods.filter(isOverdue).map(({ id }) => id);
  if (overdue.length + failing.length === 0) return undefined;
  const text = unhealthyText({ failing, overdue, expected: counts.expected });
  return { generation: memory.generation, succeeded: false, ...text };
}

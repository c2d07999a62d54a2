import type { Executor, ExecutorPodStatus, ReportStatus } from '@executor-status/api';
import type { Change } from '@executor-status/controller';
import type { ExecutorMemory } from './executor-memory.ts';
import type { Facts } from './gather-facts.ts';
import type { JudgedPod } from './judge-pods.ts';
import { hasSucceeded, isOverdue, isWaited } from './judge-pods.ts';
import { MAX_NAMED_FAULTY } from './judge-urgency.ts';

/**
 * While pods report one after another what was awaited of them, nothing is to be seen before the next write of progress: not each
 * of thousands of reports is a reason to look at all of them.
 */
export interface Patience extends Awaited {
  /** When that write is due, on the monotonic clock. */
  readonly untilMs: number;
}

/** What pods may say without turning anything. */
export interface Awaited {
  /** How many pods may still report success; the last of them turns something. */
  readonly count: number;
  /** The material that they may have loaded: the same as those that have built already. */
  readonly digests: ReadonlySet<string | undefined>;
}

/**
 * What may come, from whichever pods, until something turns: of each kind of pods that are waited for, all but the last one, and of
 * those that are overdue all but the few that are named. Nothing when anything else is wrong.
 *
 * @param memory - as it is after the plan.
 */
export function awaitedOf({ pods, expiring }: Pick<Facts, 'pods' | 'expiring'>, memory: Remembered): Awaited {
  const built = pods.filter(hasSucceeded);
  const digests = new Set(built.map(({ report }) => report?.materialDigest));
  // Whoever loads something else may be the last one that had what ends soon; and only a look sees whose grace begins anew.
  const isCalm = expiring.expiry === undefined && memory.pastGrace.size === 0 && pods.every(isCalmPod);
  return { count: isCalm ? countAwaited(pods, memory) : 0, digests };
}

/** What of the memory is asked. */
type Remembered = Pick<ExecutorMemory, 'awaited' | 'pastGrace'>;

/** A pod without a report becomes stale with its first one when its node or its writer is down already. */
function isCalmPod(pod: JudgedPod): boolean {
  const { lost, writer } = pod.pod;
  if (pod.stale !== undefined || pod.staleInMs !== undefined) return false;
  return hasSucceeded(pod) || (isWaited(pod) && !lost && writer !== 'down');
}

function countAwaited(pods: readonly JudgedPod[], { awaited }: Remembered): number {
  const waited = pods.filter(isWaited);
  const overdue = waited.filter(isOverdue).length;
  const kinds = [
    // The last one that is behind ends a rollout, the last one within its grace settles an edit.
    waited.filter(({ standing }) => standing === 'behind').length,
    waited.length - overdue,
    awaited.size,
  ].filter((count) => count > 0);
  const unnamed = overdue === 0 ? waited.length : Math.max(0, overdue - MAX_NAMED_FAULTY);
  return Math.min(unnamed, ...kinds);
}

/** The patience that is left after a report has changed; undefined when it has to be looked at. */
export function patienceAfter(
  patience: Patience | undefined,
  change: Change<ExecutorPodStatus>,
  { executor, nowMs }: { readonly executor: Executor; readonly nowMs: number },
): Patience | undefined {
  if (patience === undefined || nowMs >= patience.untilMs) return undefined;
  const { count, digests } = patience;
  if (count > 0 && saysNothing(change)) return patience;
  if (count <= 1 || !isAwaited(change, executor) || !digests.has(change.after?.status?.materialDigest))
    return undefined;
  return { ...patience, count: count - 1 };
}

/** A report that has only been made: its pod is waited for all the same. */
function saysNothing({ before, after }: Change<ExecutorPodStatus>): boolean {
  return after !== undefined && after.status === undefined && before?.status === undefined;
}

/** Whether a pod says for the first time that it has built this generation, and nothing else that is new. */
function isAwaited({ before, after }: Change<ExecutorPodStatus>, executor: Executor): boolean {
  const [was, says] = [before?.status, after?.status];
  return (
    says?.succeeded === true &&
    isAbout(says, executor) &&
    !isAbout(was, executor) &&
    // It may have been the last one that kept Ratify from loading the set.
    was?.blocksSet !== true &&
    saysNoMore(says)
  );
}

/** Whether a success has neither warnings nor followed a failure, after which Ratify may not have built. */
function saysNoMore({ warnings = [], recoveredAt }: ReportStatus): boolean {
  return warnings.length === 0 && recoveredAt === undefined;
}

function isAbout(status: ReportStatus | undefined, { metadata }: Executor): boolean {
  return status?.executorUID === metadata.uid && status?.executorGeneration === metadata.generation;
}

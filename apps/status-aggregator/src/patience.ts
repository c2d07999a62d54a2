import type { Executor, ExecutorPodStatus, ReportStatus } from '@executor-status/api';
import type { Change } from '@executor-status/controller';
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
 * What may come, from whichever pods, until something turns: the success of all that are waited for, or of those that are overdue
 * all but the few that are named. Nothing when anything else is wrong.
 */
export function awaitedOf({ pods, expiring }: Pick<Facts, 'pods' | 'expiring'>): Awaited {
  const built = pods.filter(hasSucceeded);
  const digests = new Set(built.map(({ report }) => report?.materialDigest));
  // Whoever loads something else may be the last one that had what ends soon.
  return { count: expiring.expiry === undefined ? countAwaited(pods) : 0, digests };
}

function countAwaited(pods: readonly JudgedPod[]): number {
  const isCalm = pods.every((pod) => pod.stale === undefined && (hasSucceeded(pod) || isWaited(pod)));
  if (!isCalm) return 0;
  const overdue = pods.filter(isOverdue).length;
  return overdue === 0 ? pods.filter(isWaited).length : Math.max(0, overdue - MAX_NAMED_FAULTY);
}

/** The patience that is left after a report has changed; undefined when it has to be looked at. */
export function patienceAfter(
  patience: Patience | undefined,
  change: Change<ExecutorPodStatus>,
  { executor, nowMs }: { readonly executor: Executor; readonly nowMs: number },
): Patience | undefined {
  if (patience === undefined || nowMs >= patience.untilMs) return undefined;
  if (saysNothing(change)) return patience;
  const { count, digests } = patience;
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

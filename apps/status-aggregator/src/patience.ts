import type { Executor, ExecutorPodStatus, ReportStatus } from '@executor-status/api';
import type { Change } from '@executor-status/controller';
import type { JudgedPod } from './judge-pods.ts';
import { hasSucceeded, isOverdue, isWaited } from './judge-pods.ts';
import { MAX_NAMED_FAULTY } from './judge-urgency.ts';

/**
 * While pods report one after another what was awaited of them, nothing is to be seen before the next write of progress: not each
 * of thousands of reports is a reason to look at all of them.
 */
export interface Patience {
  /** When that write is due, on the monotonic clock. */
  readonly untilMs: number;
  /** How many pods may still report success until that turns something; the last of them does. */
  readonly awaited: number;
}

/**
 * How many pods may report success, whichever of them, until that turns something: all that are waited for, or of those that are
 * overdue all but the few that are named. 0 when anything else is wrong.
 */
export function countAwaited(pods: readonly JudgedPod[]): number {
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
  if (patience.awaited <= 1 || !isAwaited(change, executor)) return undefined;
  return { ...patience, awaited: patience.awaited - 1 };
}

/** Whether a pod says for the first time that it has built this generation, and nothing else that is new. */
function isAwaited({ before, after }: Change<ExecutorPodStatus>, executor: Executor): boolean {
  const [was, says] = [before?.status, after?.status];
  return (
    says?.succeeded === true &&
    isAbout(says, executor) &&
    !isAbout(was, executor) &&
    (says.warnings ?? []).length === 0 &&
    says.materialDigest === was?.materialDigest
  );
}

function isAbout(status: ReportStatus | undefined, { metadata }: Executor): boolean {
  return status?.executorUID === metadata.uid && status?.executorGeneration === metadata.generation;
}

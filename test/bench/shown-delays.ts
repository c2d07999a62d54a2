import type { AuditEntry } from '../support/control-plane.ts';
import type { Target } from './load-job.ts';
import { isAccepted, reportStatusOf, statusOf } from './status-writes.ts';

/** What was written meanwhile, in the order of the answers. */
export interface Written {
  readonly reports: readonly AuditEntry[];
  readonly statuses: readonly AuditEntry[];
}

/**
 * How long reports waited until the status of their executor counted them: the n-th report on the newest generation, until the first
 * write that counts n of them, from the arrival of one request to the arrival of the other. Milliseconds, shortest first; infinite
 * where that never came. Each pod must have reported once.
 */
export function shownDelays({ reports, statuses }: Written, targets: readonly Target[]): readonly number[] {
  return targets.flatMap((target) => delaysOf(target, { reports, statuses })).toSorted((a, b) => a - b);
}

/** The least value that `share` (0 to 1) of the ascending `values` do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  return values[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}

function delaysOf({ name, uid, generation }: Target, { reports, statuses }: Written): readonly number[] {
  const saidAt = reports.filter((report) => {
    const { executorUID, executorGeneration } = reportStatusOf(report);
    return isAccepted(report) && executorUID === uid && executorGeneration === generation;
  });
  const counts = statuses
    .filter((write) => write.name === name && countsFor(write) === generation)
    .map((write) => ({ at: write.at, counted: countedBy(write) }));
  return saidAt.map(({ at }, index) => {
    const shown = counts.find(({ counted }) => counted > index);
    return Math.max(0, (shown?.at ?? Number.POSITIVE_INFINITY) - at);
  });
}

/** The generation that the counts and conditions of a status speak of; its verdict may still speak of an older one. */
function countsFor(write: AuditEntry): number | undefined {
  return statusOf(write).conditions?.find(({ type }) => type === 'Ready')?.observedGeneration;
}

function countedBy(write: AuditEntry): number {
  const { succeeded = 0, failed = 0 } = statusOf(write).podCounts ?? {};
  return succeeded + failed;
}

import { type Executor, type ExecutorPodStatus, encodedBytes, type ReportStatus } from '@executor-status/api';
import type { AuditEntry } from '../support/control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { BenchCluster } from './bench-cluster.ts';
import type { Target } from './load-job.ts';

type Status = NonNullable<Executor['status']>;

/** What an aggregator wrote to statuses since a mark in the audit log. */
export interface StatusWrites {
  readonly accepted: readonly AuditEntry[];
  readonly conflicts: number;
  /** Neither accepted nor a conflict. */
  readonly refused: readonly AuditEntry[];
  /** The largest, as the API server stores it. */
  readonly largestBytes: number;
}

/** Sorts writes of statuses by how they went. */
export function sortWrites(writes: readonly AuditEntry[]): StatusWrites {
  return {
    accepted: writes.filter(isAccepted),
    conflicts: writes.filter(({ code }) => code === 409).length,
    refused: writes.filter((write) => !isAccepted(write) && write.code !== 409),
    largestBytes: Math.max(0, ...writes.map((write) => encodedBytes(statusOf(write)))),
  };
}

/** The status that was sent. */
export function statusOf({ body }: AuditEntry): Status {
  return ((body ?? {}) as Partial<Executor>).status ?? { succeeded: false };
}

/** The same of a write of a report's status. */
export function reportStatusOf({ body }: AuditEntry): Partial<ReportStatus> {
  return ((body ?? {}) as Partial<ExecutorPodStatus>).status ?? {};
}

/** Whether the API server took a write. */
export function isAccepted({ code }: AuditEntry): boolean {
  return code < 300;
}

/** What makes a status right. */
export interface Right {
  readonly cluster: BenchCluster;
  readonly targets: readonly Target[];
  readonly isRight: (status: Status, target: Target) => boolean;
  readonly deadlineMs: number;
  readonly since?: AuditMark;
}

type AuditMark = NonNullable<Parameters<BenchCluster['statusWrites']>[0]>['since'];

/**
 * Waits until the last write of every target is right.
 *
 * @returns when the API server got the last of the writes that made them so, in milliseconds since 1970.
 * @throws {Error} naming the targets that are not right at the deadline.
 */
export async function untilRight({ cluster, targets, isRight, deadlineMs, since }: Right): Promise<number> {
  let wrong: readonly string[] = [];
  const look = async () => {
    const writes = (await cluster.statusWrites(since === undefined ? {} : { since })).filter(isAccepted);
    const rightSince = targets.map((target) => firstRight(writes, target, isRight));
    wrong = targets.filter((_, index) => rightSince[index] === undefined).map(({ name }) => name);
    return wrong.length === 0 && Math.max(...rightSince.map((at) => at ?? 0));
  };
  return await waitUntil(look, { what: 'right statuses', deadlineMs, everyMs: 200 }).catch(
    (error: unknown) => {
      throw new Error(
        `${wrong.length} executors did not become right, ${wrong[0]} among them: ${String(error)}`,
        {
          cause: error,
        },
      );
    },
  );
}

/** When the last write of the target came, back to which all its writes are right. */
function firstRight(
  writes: readonly AuditEntry[],
  target: Target,
  isRight: Right['isRight'],
): number | undefined {
  let at: number | undefined;
  for (const write of writes.filter(({ name }) => name === target.name)) {
    if (!isRight(statusOf(write), target)) at = undefined;
    else at ??= write.at;
  }
  return at;
}

/** The word of all `pods` about the newest generation is shown: that it builds. */
export function allCounted(pods: number): Right['isRight'] {
  return ({ observedGeneration, podCounts }, { generation }) =>
    observedGeneration === generation && podCounts?.succeeded === pods;
}

/** And `succeeded` follows: at once, or 10 s after a time in which pods were missing past their grace (design 5.2). */
export function allBuilt(pods: number): Right['isRight'] {
  const isCounted = allCounted(pods);
  return (status, target) => status.succeeded && isCounted(status, target);
}

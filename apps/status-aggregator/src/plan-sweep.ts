import type { ExecutorPodStatus, ExecutorRef } from '@executor-status/api';
import type { Pod } from './pod.ts';

/** Why nobody stands behind a report any more. */
export type OrphanReason = 'pod-gone' | 'pod-over' | 'executor-gone';

/** A report that looks like an orphan. */
export interface Suspect {
  readonly report: ExecutorPodStatus;
  readonly why: OrphanReason;
  /** Since when it has looked so at every look, on the monotonic clock. */
  readonly sinceMs: number;
}

/** What a sweep is planned from. */
export interface SweepView {
  readonly reports: Iterable<ExecutorPodStatus>;
  /** All pods that are watched; one that is not watched may exist all the same. */
  readonly pods: Iterable<Pod>;
  /** Undefined while its kind has not been listed, or is not installed. */
  readonly hasExecutor: (ref: ExecutorRef) => boolean | undefined;
  /** What the last plan left, by the uid of the report. */
  readonly suspects: ReadonlyMap<string, Suspect>;
  /** How long a report must look like an orphan. */
  readonly confirmMs: number;
  /** A clock that never jumps, in milliseconds. */
  readonly nowMs: number;
}

/** Which reports are to be removed, once a live read agrees. */
export interface SweepPlan {
  /** What to give to the next plan, by the uid of the report. */
  readonly suspects: ReadonlyMap<string, Suspect>;
  /** Those seen twice, far enough apart, by name. */
  readonly due: readonly Suspect[];
}

/**
 * Finds the reports that owner references leave behind (design rule 12): their pod, by name and uid, is gone or over, or their
 * executor is gone. A report of an earlier executor of the same name is none: its pod writes it anew.
 */
export function planSweep(view: SweepView): SweepPlan {
  const suspects = new Map<string, Suspect>();
  const pods = new Map([...view.pods].map((pod) => [pod.metadata.uid, pod]));
  for (const report of view.reports) {
    const why = orphanReason(report, pods.get(report.spec.pod.uid), view);
    const { uid } = report.metadata;
    if (why === undefined || uid === undefined) continue;
    suspects.set(uid, { report, why, sinceMs: view.suspects.get(uid)?.sinceMs ?? view.nowMs });
  }
  const due = [...suspects.values()].filter(
    ({ sinceMs }) => sinceMs < view.nowMs && view.nowMs - sinceMs >= view.confirmMs,
  );
  return { suspects, due };
}

function orphanReason(
  { metadata, spec }: ExecutorPodStatus,
  pod: Pod | undefined,
  view: Pick<SweepView, 'hasExecutor'>,
): OrphanReason | undefined {
  // Not a report of ours, but something that another schema let in: there is nobody to ask about it.
  if (spec.pod.uid === '' || metadata.namespace === undefined) return undefined;
  if (pod?.metadata.name !== spec.pod.name || pod.metadata.namespace !== metadata.namespace)
    return 'pod-gone';
  if (pod.over) return 'pod-over';
  return view.hasExecutor(spec.executorRef) === false ? 'executor-gone' : undefined;
}

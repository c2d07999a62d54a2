import { type Executor, type ExecutorPodStatus, type ReportStatus, reportName } from '@executor-status/api';
import type { ExecutorMemory } from './executor-memory.ts';
import { hideInReport } from './hide-names.ts';
import type { Pod } from './pod.ts';
import type { StatusSettings } from './status-settings.ts';

/** A pod with what only this process knows of it: times on its own monotonic clock. */
export interface SeenPod {
  readonly pod: Pod;
  /** Since when it has been seen to be expected. */
  readonly seenMs: number;
  /** Since when its writer has been seen not to run; absent while it runs or nothing is known. */
  readonly writerDownMs?: number;
}

/** How an expected pod stands to the newest generation; each pod in exactly one way. */
export type Standing = 'succeeded' | 'failed' | 'behind' | 'missing' | 'unobserved';

export interface JudgedPod {
  /** The pod name, or `namespace/name` when pods run in more than one namespace; the uid where names are hidden. */
  readonly id: string;
  readonly pod: Pod;
  readonly standing: Standing;
  /** What it reports of this executor object; absent when missing or unobserved. */
  readonly report?: ReportStatus;
  /** Milliseconds until it counts as a fault that this pod is missing or behind; 0 when that is over. */
  readonly graceLeftMs: number;
  /** Why its report may be out of date. */
  readonly stale?: 'PodLost' | 'WriterNotRunning';
  /** Milliseconds until it becomes stale if its writer stays down. */
  readonly staleInMs?: number;
}

interface Judging {
  readonly executor: Executor;
  readonly reports: readonly ExecutorPodStatus[];
  readonly pods: readonly SeenPod[];
  readonly memory: ExecutorMemory;
  readonly settings: StatusSettings;
  readonly nowMs: number;
}

/** Every expected pod with its standing, by id. Reports of other pods, or of an earlier executor object, count for nothing. */
export function judgePods(judging: Judging): JudgedPod[] {
  const expected = judging.pods.filter(({ pod }) => pod.expected);
  const qualified = new Set(expected.map(({ pod }) => pod.metadata.namespace)).size > 1;
  const byUid = Map.groupBy(judging.reports, ({ spec }) => spec.pod.uid);
  return expected
    .map((seen) => {
      const { name, namespace, uid } = seen.pod.metadata;
      const shownName = qualified ? `${namespace}/${name}` : name;
      const id = judging.settings.hidePodNames ? uid : shownName;
      return judgePod(judging, seen, { id, reports: byUid.get(uid) ?? [] });
    })
    .toSorted((a, b) => byText(a.id, b.id));
}

/** Not localeCompare: the order must be the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Up to date, and built. */
export const hasSucceeded = (pod: JudgedPod): boolean => pod.standing === 'succeeded';
/** Up to date, and not built. */
export const hasFailed = (pod: JudgedPod): boolean => pod.standing === 'failed';
/** Its report about the newest generation is still to come. */
export const isWaited = (pod: JudgedPod): boolean => pod.standing === 'missing' || pod.standing === 'behind';
/** Its report should have come by now. */
export const isOverdue = (pod: JudgedPod): boolean => isWaited(pod) && pod.graceLeftMs === 0;

function judgePod(
  { executor, memory, settings, nowMs }: Judging,
  { pod, seenMs, writerDownMs }: SeenPod,
  found: { readonly id: string; readonly reports: readonly ExecutorPodStatus[] },
): JudgedPod {
  const report = reportOf(pod, executor, found.reports);
  const standing = standingOf(report, { executor, observed: pod.observed || found.reports.length > 0 });
  const graceEndMs = Math.max(seenMs, memory.generationSeenMs) + settings.graceMs;
  const graceLeftMs = memory.pastGrace.has(pod.metadata.uid) ? 0 : Math.max(0, graceEndMs - nowMs);
  const downForMs = writerDownMs === undefined ? undefined : nowMs - writerDownMs;
  return {
    id: found.id,
    pod,
    standing,
    graceLeftMs,
    ...(report && {
      report: hideInReport(report, pod, settings),
      ...staleness({ pod, downForMs, settings }),
    }),
  };
}

function standingOf(
  report: ReportStatus | undefined,
  { executor, observed }: { readonly executor: Executor; readonly observed: boolean },
): Standing {
  if (report === undefined) return observed ? 'missing' : 'unobserved';
  if (report.executorGeneration !== executor.metadata.generation) return 'behind';
  return report.succeeded ? 'succeeded' : 'failed';
}

/** What speaks for `pod`. If two reports do, the one under the proper name is taken, else the first by name. */
function reportOf(
  pod: Pod,
  executor: Executor,
  reports: readonly ExecutorPodStatus[],
): ReportStatus | undefined {
  const [first] = reports;
  // Nearly always there is one, of many thousands.
  if (first === undefined || reports.length === 1)
    return first && speaksFor(first, pod, executor) ? first.status : undefined;
  const speaking = reports.filter((report) => speaksFor(report, pod, executor));
  return speaking.toSorted((a, b) => (preferred(a, b) ? -1 : 1))[0]?.status;
}

function speaksFor(report: ExecutorPodStatus, pod: Pod, executor: Executor): boolean {
  return (
    report.status !== undefined &&
    report.status.executorUID === executor.metadata.uid &&
    report.spec.pod.name === pod.metadata.name &&
    report.metadata.namespace === pod.metadata.namespace
  );
}

function staleness(of: {
  readonly pod: Pod;
  readonly downForMs: number | undefined;
  readonly settings: StatusSettings;
}): Pick<JudgedPod, 'stale' | 'staleInMs'> {
  if (of.pod.lost) return { stale: 'PodLost' };
  if (of.downForMs === undefined) return {};
  const leftMs = of.settings.writerDownMs - of.downForMs;
  return leftMs <= 0 ? { stale: 'WriterNotRunning' } : { staleInMs: leftMs };
}

function preferred(a: ExecutorPodStatus, b: ExecutorPodStatus): boolean {
  const [aProper, bProper] = [a, b].map(
    ({ metadata, spec }) => metadata.name === reportName(spec.pod.name, spec.executorRef),
  );
  return aProper === bProper ? byText(a.metadata.name, b.metadata.name) < 0 : Boolean(aProper);
}

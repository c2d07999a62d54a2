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
  readonly report?: ReportStatus | undefined;
  /** Milliseconds until it counts as a fault that this pod is missing or behind; 0 when that is over. */
  readonly graceLeftMs: number;
  /** Why its report may be out of date. */
  readonly stale?: 'PodLost' | 'WriterNotRunning' | undefined;
  /** Milliseconds until it becomes stale if its writer stays down. */
  readonly staleInMs?: number | undefined;
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
  const [first] = expected;
  const qualified = expected.some(({ pod }) => pod.metadata.namespace !== first?.pod.metadata.namespace);
  const found = findReports(judging.reports);
  return expected
    .map((seen) => {
      const { name, namespace, uid } = seen.pod.metadata;
      const shownName = qualified ? `${namespace}/${name}` : name;
      return judgePod(judging, seen, { id: judging.settings.hidePodNames ? uid : shownName, found });
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
  { id, found }: { readonly id: string; readonly found: Found },
): JudgedPod {
  const report = reportOf(pod, executor, found);
  const observed = pod.observed || found.first.has(pod.metadata.uid);
  const standing = standingOf(report, { executor, observed });
  const graceEndMs = Math.max(seenMs, memory.generationSeenMs) + settings.graceMs;
  const graceLeftMs = memory.pastGrace.has(pod.metadata.uid) ? 0 : Math.max(0, graceEndMs - nowMs);
  const downForMs = writerDownMs === undefined ? undefined : nowMs - writerDownMs;
  const { stale, staleInMs } = report === undefined ? UP_TO_DATE : staleness({ pod, downForMs, settings });
  const shown = report && hideInReport(report, pod, settings);
  // Each field by its name: a look at thousands of pods makes as many of these.
  return { id, pod, standing, graceLeftMs, report: shown, stale, staleInMs };
}

function standingOf(
  report: ReportStatus | undefined,
  { executor, observed }: { readonly executor: Executor; readonly observed: boolean },
): Standing {
  if (report === undefined) return observed ? 'missing' : 'unobserved';
  if (report.executorGeneration !== executor.metadata.generation) return 'behind';
  return report.succeeded ? 'succeeded' : 'failed';
}

/** Reports by the uid of their pod: nearly always one for each, of many thousands. */
interface Found {
  readonly first: ReadonlyMap<string, ExecutorPodStatus>;
  readonly others: ReadonlyMap<string, readonly ExecutorPodStatus[]>;
}

function findReports(reports: readonly ExecutorPodStatus[]): Found {
  const first = new Map<string, ExecutorPodStatus>();
  const others: ExecutorPodStatus[] = [];
  for (const report of reports) {
    const { uid } = report.spec.pod;
    if (first.has(uid)) others.push(report);
    else first.set(uid, report);
  }
  return { first, others: Map.groupBy(others, ({ spec }) => spec.pod.uid) };
}

/** What speaks for `pod`. If two reports do, the one under the proper name is taken, else the first by name. */
function reportOf(pod: Pod, executor: Executor, found: Found): ReportStatus | undefined {
  const first = found.first.get(pod.metadata.uid);
  if (first === undefined) return undefined;
  const others = found.others.get(pod.metadata.uid);
  if (others === undefined) return speaksFor(first, pod, executor) ? first.status : undefined;
  const speaking = [first, ...others].filter((report) => speaksFor(report, pod, executor));
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

type Staleness = Pick<JudgedPod, 'stale' | 'staleInMs'>;

const UP_TO_DATE: Staleness = {};

function staleness(of: {
  readonly pod: Pod;
  readonly downForMs: number | undefined;
  readonly settings: StatusSettings;
}): Staleness {
  if (of.pod.lost) return { stale: 'PodLost' };
  if (of.downForMs === undefined) return UP_TO_DATE;
  const leftMs = of.settings.writerDownMs - of.downForMs;
  return leftMs <= 0 ? { stale: 'WriterNotRunning' } : { staleInMs: leftMs };
}

function preferred(a: ExecutorPodStatus, b: ExecutorPodStatus): boolean {
  const [aProper, bProper] = [a, b].map(
    ({ metadata, spec }) => metadata.name === reportName(spec.pod.name, spec.executorRef),
  );
  return aProper === bProper ? byText(a.metadata.name, b.metadata.name) < 0 : Boolean(aProper);
}

import { boundBriefError, boundText, type PodEntry } from '@executor-status/api';
import { isOverdue, type JudgedPod } from './judge-pods.ts';
import type { StatusSettings } from './status-settings.ts';

const MAX_ENTRY_ERROR_BYTES = 512;

/** The pods that may stand in `byPod`, in its order, and how many pods report in all. */
export interface Listed {
  readonly entries: readonly PodEntry[];
  /** The ids of entries that say nothing bad. */
  readonly healthy: ReadonlySet<string>;
  /** How many further entries the cap left out. */
  readonly omitted: number;
}

/** One entry for each pod that reports: failing ones first, then behind, stale, by id; at most `maxEntries`. */
export function listEntries(pods: readonly JudgedPod[], settings: StatusSettings): Listed {
  const { detail, maxEntries, hideNodeNames } = settings;
  const listed = pods.filter((pod) => pod.report !== undefined && (detail === 'full' || isNews(pod)));
  // In each rank they stay by id.
  const ranks = Map.groupBy(listed, rank);
  const shown = RANKS.flatMap((one) => ranks.get(one) ?? []).slice(0, maxEntries);
  return {
    entries: shown.flatMap((pod) => entryOf(pod, hideNodeNames)),
    healthy: new Set(shown.filter((pod) => !isNews(pod)).map(({ id }) => id)),
    omitted: Math.max(0, listed.length - maxEntries),
  };
}

/** What stays when healthy entries are left out. Pods that are behind within their grace are healthy until it is over. */
function isNews(pod: JudgedPod): boolean {
  return pod.standing === 'failed' || pod.stale !== undefined || isOverdue(pod);
}

type Rank = 'failed' | 'behind' | 'stale' | 'healthy';

/** Healthy entries come last, so that a cut takes them first. */
const RANKS: readonly Rank[] = ['failed', 'behind', 'stale', 'healthy'];

function rank(pod: JudgedPod): Rank {
  if (pod.standing === 'failed' || pod.standing === 'behind') return pod.standing;
  return pod.stale === undefined ? 'healthy' : 'stale';
}

function entryOf({ id, pod, report, stale }: JudgedPod, hideNodeNames: boolean): PodEntry[] {
  if (report === undefined) return [];
  const { executorGeneration, succeeded, reason, error, briefError, lastTransitionTime } = report;
  return [
    {
      id,
      observedGeneration: executorGeneration,
      succeeded,
      ...(error && { error: boundText(error, MAX_ENTRY_ERROR_BYTES) }),
      ...(briefError && { briefError: boundBriefError(briefError) }),
      ...(lastTransitionTime && { lastTransitionTime }),
      reason,
      podUID: pod.metadata.uid,
      ...(pod.nodeName && !hideNodeNames && { nodeName: pod.nodeName }),
      ...(report.lastSucceededGeneration && { lastSucceededGeneration: report.lastSucceededGeneration }),
      ...(stale && { stale: true }),
    },
  ];
}

import { type Condition, type ExecutorStatus, isOwnCondition } from '@executor-status/api';
import { isOverdue, type JudgedPod } from './judge-pods.ts';
import { sameValue } from './same-status.ts';

/** Transitions are written at once, progress is spaced (design rule 9). */
export type Urgency = 'transition' | 'progress';

/** What a change is judged by. */
export interface Judged {
  /** The status that was shown last. */
  readonly shown: ExecutorStatus | undefined;
  readonly wanted: ExecutorStatus;
  readonly pods: readonly JudgedPod[];
  /** The keys of the error groups that `wanted` shows. */
  readonly groups: readonly string[];
  /** The keys of the error groups that were shown for this generation. */
  readonly shownGroups: ReadonlySet<string>;
  /** The faulty pods when it was shown; undefined where another process wrote it. */
  readonly shownFaulty: readonly string[] | undefined;
}

/** Groups of one generation that may come at once; a stream of ever new texts is no news. */
const MAX_NEW_GROUPS = 10;

/**
 * With more faulty pods than this, before and after, who they are is no news: else a rollout over thousands of pods that outlasts
 * the grace would be written with every report. That there are any, and none any more, is a turn of a condition.
 */
export const MAX_NAMED_FAULTY = 10;

/** How soon the step from `shown` to `wanted` should be seen. */
export function judgeUrgency(judged: Judged): Urgency {
  const news =
    judged.shown === undefined ||
    judged.shown.succeeded !== judged.wanted.succeeded ||
    (judged.shown.observedGeneration ?? 0) !== judged.wanted.observedGeneration ||
    !sameValue(turns(judged.shown), turns(judged.wanted)) ||
    hasOtherFaulty(judged, judged.shown) ||
    hasNewGroup(judged) ||
    hasReplacedPod(judged) ||
    lastBehindReported(judged);
  return news ? 'transition' : 'progress';
}

/** Status and reason of each condition; a rollout is no turn. */
function turns(status: ExecutorStatus): Record<string, readonly [Condition['status'], string]> {
  const conditions = (status.conditions ?? []).filter(
    ({ type, reason }) => isOwnCondition(type) && reason !== 'RollingOut',
  );
  return Object.fromEntries(conditions.map(({ type, status: holds, reason }) => [type, [holds, reason]]));
}

/** Which pods are missing past their grace, and which are stale: by uid, in the order of `pods`. */
export function faultyPods(pods: readonly JudgedPod[]): string[] {
  const stale = pods.filter((pod) => pod.stale !== undefined);
  return [
    ...pods.filter(isOverdue).map(({ pod }) => `missing ${pod.metadata.uid}`),
    ...stale.map(({ pod }) => `stale ${pod.metadata.uid}`),
  ];
}

/** A status names only the first pods that are missing or stale, so it is asked only where nothing better is known. */
function hasOtherFaulty({ wanted, pods, shownFaulty }: Judged, shown: ExecutorStatus): boolean {
  if (shownFaulty === undefined) return !sameValue(faulty(shown), faulty(wanted));
  const now = faultyPods(pods);
  return Math.min(shownFaulty.length, now.length) <= MAX_NAMED_FAULTY && !sameValue(shownFaulty, now);
}

/** What a status says of missing and stale pods: the messages name the first of them, the stale ones stand in the list too. */
function faulty(status: ExecutorStatus): unknown {
  const messages = (status.conditions ?? [])
    .filter(({ type }) => type === 'PodsMissing' || type === 'PodsStale')
    .map(({ type, message }) => `${type}: ${message}`);
  const stale = (status.byPod ?? []).filter((entry) => entry.stale).map(({ podUID }) => podUID);
  return [messages.toSorted(), stale.toSorted()];
}

function hasNewGroup({ groups, shownGroups }: Judged): boolean {
  return shownGroups.size < MAX_NEW_GROUPS && groups.some((key) => !shownGroups.has(key));
}

/** What a pod of the same name said must not be read as the word of its successor. */
function hasReplacedPod({ shown, pods }: Judged): boolean {
  const uids = new Map((shown?.byPod ?? []).map(({ id, podUID }) => [id, podUID]));
  return pods.some(({ id, pod }) => uids.has(id) && uids.get(id) !== pod.metadata.uid);
}

function lastBehindReported({ shown, wanted }: Judged): boolean {
  return (shown?.podCounts?.behind ?? 0) > 0 && wanted.podCounts?.behind === 0;
}

import { boundText, type ErrorGroup, type WarningGroup } from '@executor-status/api';
import { byText, hasFailed, hasSucceeded, type JudgedPod } from './judge-pods.ts';
import { failureWords, warningWords } from './report-words.ts';

const MAX_ERROR_GROUPS = 10;
const MAX_WARNING_GROUPS = 5;
const MAX_EXAMPLES = 3;
const MAX_MESSAGE_BYTES = 256;

/** An error group with what stands behind it. */
export interface FailingPods {
  /** The same for texts that differ in pod names, times, ids and ports only; stable from look to look. */
  readonly key: string;
  readonly group: ErrorGroup;
  /** The whole texts of its first pod by id. */
  readonly error: string;
  readonly briefError: string;
}

/** All error groups, the largest first. The status shows the first ones: see {@link errorGroups}. */
export function groupFailing(pods: readonly JudgedPod[]): FailingPods[] {
  const said = pods
    .filter(hasFailed)
    .flatMap((pod) => (pod.report ? [{ pod, ...failureWords(pod.report, pod.pod.metadata) }] : []));
  return grouped(said).map(({ key, first, ids }) => {
    // A chain of causes that is too long to show would lose its end, which is the cause.
    const shown = Buffer.byteLength(first.error) > MAX_MESSAGE_BYTES ? first.briefError : first.error;
    const group = { reason: first.reason, message: boundText(shown, MAX_MESSAGE_BYTES), ...counted(ids) };
    return { key, group, error: first.error, briefError: first.briefError };
  });
}

/** What `errorGroups` shows of them. */
export function errorGroups(failing: readonly FailingPods[]): ErrorGroup[] {
  return failing.slice(0, MAX_ERROR_GROUPS).map(({ group }) => group);
}

/** All groups of warnings of pods that are up to date, the most frequent first. The status shows {@link shownWarnings}. */
export function groupWarnings(pods: readonly JudgedPod[]): WarningGroup[] {
  const said = pods
    .filter((pod) => pod.report?.warnings !== undefined && (hasSucceeded(pod) || hasFailed(pod)))
    .flatMap((pod) =>
      pod.report ? warningWords(pod.report, pod.pod.metadata).map((words) => ({ pod, ...words })) : [],
    );
  return grouped(said).map(({ first, ids }) => ({
    code: first.code,
    message: boundText(first.text, MAX_MESSAGE_BYTES),
    ...counted(ids),
  }));
}

/** What `warningGroups` shows of them. */
export function shownWarnings(groups: readonly WarningGroup[]): WarningGroup[] {
  return groups.slice(0, MAX_WARNING_GROUPS);
}

/** One pod's word, with the key of the group that it falls into. */
interface Said {
  readonly key: string;
  readonly pod: JudgedPod;
}

interface Grouped<T extends Said> {
  readonly key: string;
  /** The one with the first id, since pods come by id. */
  readonly first: T;
  readonly ids: readonly string[];
}

function grouped<T extends Said>(said: readonly T[]): Grouped<T>[] {
  const groups = Map.groupBy(said, ({ key }) => key);
  return [...groups]
    .flatMap(([key, [first, ...others]]) =>
      first === undefined ? [] : [{ key, first, ids: distinct([first, ...others].map(({ pod }) => pod.id)) }],
    )
    .toSorted((a, b) => b.ids.length - a.ids.length || byText(a.key, b.key));
}

const counted = (ids: readonly string[]) => ({ count: ids.length, examplePods: ids.slice(0, MAX_EXAMPLES) });

// A pod may give one warning twice, for two places that look alike.
const distinct = (ids: readonly string[]) => [...new Set(ids)];

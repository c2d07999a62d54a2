import type { Ending } from './obvious-status.ts';

/** Status and reason: `False/PodsFailed`. */
export type ObviousReady = `${'True' | 'False' | 'Unknown'}/${string}`;

const WEEK_MS = 7 * 24 * 3_600_000;

/** The table of section 5.2 of the design, from the top: the first that matches. */
export function rawReady({ now, pods, settled, awaited }: Ending): ObviousReady {
  const standing = (wanted: string) => pods.filter((one) => one.standing === wanted).length;
  const waited = standing('missing') + standing('behind');
  const nothingUpToDate = standing('succeeded') + standing('failed') === 0 && waited > 0;
  const table: readonly (readonly [boolean, ObviousReady])[] = [
    [pods.length === 0, 'Unknown/NoPods'],
    [standing('failed') > 0, 'False/PodsFailed'],
    [pods.some(({ overdue }) => overdue), 'False/PodsNotReporting'],
    [!settled || nothingUpToDate, 'Unknown/Building'],
    [standing('behind') > 0 || awaited.size > 0, 'Unknown/Building'],
    [now.blockedBy !== undefined, 'False/BlockedBySibling'],
    [standing('unobserved') > 0, 'Unknown/PodsUnobserved'],
    [pods.some(({ stale }) => stale), 'Unknown/PodsStale'],
    [lagging(pods), 'Unknown/RatifyMayBeStale'],
  ];
  const [, first] = table.find(([matches]) => matches) ?? [true, 'True/BuildsInAllPods' as const];
  return first;
}

/** The other conditions that hold, as `type=True/reason`, in the order of the design. */
export function obviousConditions({ now, pods, settled }: Ending): readonly string[] {
  const invalid = pods.filter(
    ({ standing, report }) => standing === 'failed' && report?.reason === 'ConfigInvalid',
  );
  const reporting = pods.filter(({ report }) => report !== undefined);
  const stalled = invalid.length > 0 && invalid.length === reporting.length;
  const stale = pods.filter((one) => one.stale);
  const ends = reporting
    .flatMap(({ report }) => report?.material ?? [])
    .map(({ notAfter = '' }) => Date.parse(notAfter));
  const nowMs = START + now.atS * 1000;
  const rows: readonly (readonly [string, boolean])[] = [
    ['Reconciling=True/Building', !stalled && !settled],
    [
      'Reconciling=True/RollingOut',
      !stalled && settled && pods.some(({ waited, overdue }) => waited && !overdue),
    ],
    ['Stalled=True/ConfigInvalid', stalled],
    ['BlockedBySibling=True/SiblingFailed', now.blockedBy !== undefined],
    ['PodsMissing=True/WriterNotReporting', pods.some(({ overdue }) => overdue)],
    ['PodsStale=True/PodLost', stale.some(({ pod }) => pod.lost)],
    ['PodsStale=True/WriterNotRunning', stale.length > 0 && stale.every(({ pod }) => !pod.lost)],
    ['RatifyMayBeStale=True/NotRebuiltSinceRecovery', lagging(pods)],
    ['MaterialDiverged=True/DigestsDiffer', settled && digests(pods) > 1],
    [
      'CredentialsExpiring=True/ExpiresSoon',
      ends.some((end) => end - nowMs <= WEEK_MS) && ends.every((end) => end > nowMs),
    ],
    ['CredentialsExpiring=True/Expired', ends.some((end) => end <= nowMs)],
  ];
  return rows.flatMap(([text, holds]) => (holds ? [text] : []));
}

/** The wall clock at second 0 of a story. */
const START = Date.parse('2026-08-06T09:50:00Z');

function lagging(pods: Ending['pods']): boolean {
  return pods.some(({ standing, pod, report }) => {
    const [started, recovered] = [pod.ratifyStartedAt, report?.recoveredAt];
    return (
      standing === 'succeeded' && started !== undefined && recovered !== undefined && started < recovered
    );
  });
}

function digests(pods: Ending['pods']): number {
  const loaded = pods.flatMap(({ standing, report }) =>
    standing === 'succeeded' ? (report?.materialDigest ?? []) : [],
  );
  return new Set(loaded).size;
}

import { type ObviousReady, obviousConditions, rawReady } from './obvious-conditions.ts';
import { type Judged, judgeObviously, last, type Moment, onceAnEnding } from './obvious-moment.ts';
import { buildingWords, groupsOf, unhealthyWords, warningsOf } from './obvious-words.ts';

/** The four fields of the verdict. */
export interface Verdict {
  readonly observedGeneration: number;
  readonly succeeded: boolean;
  readonly error: string;
  readonly briefError: string;
}

/** Everything at the end of a story that other parts look at. */
export interface Ending {
  readonly now: Moment;
  readonly pods: readonly Judged[];
  readonly settled: boolean;
  /** The uids of pods that have to build the generation before a success can be claimed. */
  readonly awaited: ReadonlySet<string>;
}

const HOLD_S = 10;

/**
 * The status at the end of `story`, a second time: slowly, from everything that ever happened to a fresh executor, as the design says
 * it. It shares no code with the aggregator, so that a property can compare the two.
 */
export function obviousStatus(story: readonly Moment[]) {
  const ending = endingOf(story);
  const { pods } = ending;
  return {
    ...verdictOf(story),
    conditions: [`Ready=${readyOf(story)}`, ...obviousConditions(ending)],
    podCounts: countsOf(pods),
    builds: `${count(pods, 'succeeded')}/${pods.length}`,
    errorGroups: groupsOf(pods),
    warningGroups: warningsOf(pods),
    byPod: [...pods]
      .filter(({ report }) => report !== undefined)
      .sort((a, b) => rank(a) - rank(b))
      .map(({ pod }) => pod.name),
  };
}

const count = (pods: readonly Judged[], standing: Judged['standing']) =>
  pods.filter((one) => one.standing === standing).length;

function countsOf(pods: readonly Judged[]) {
  const [succeeded, failed, behind] = [
    count(pods, 'succeeded'),
    count(pods, 'failed'),
    count(pods, 'behind'),
  ];
  return {
    expected: pods.length,
    reporting: succeeded + failed + behind,
    missing: count(pods, 'missing'),
    unobserved: count(pods, 'unobserved'),
    upToDate: succeeded + failed,
    behind,
    succeeded,
    failed,
    stale: pods.filter(({ stale }) => stale).length,
  };
}

const rank = ({ standing, stale }: Judged) =>
  standing === 'failed' ? 0 : standing === 'behind' ? 1 : stale ? 2 : 3;

/** The moments of the newest generation, each with the story up to it. */
function sinceEdit(story: readonly Moment[]): readonly (readonly Moment[])[] {
  const { generation } = last(story);
  return story.flatMap((moment, at) => (moment.generation === generation ? [story.slice(0, at + 1)] : []));
}

/** A first failure settles a generation, or that nobody is waited for any more; once settled, it stays so. */
function settlesNow(pods: readonly Judged[]): boolean {
  if (pods.some(({ standing }) => standing === 'failed')) return true;
  const waited = pods.filter((one) => one.waited);
  return waited.length === 0 ? count(pods, 'succeeded') > 0 : waited.every(({ overdue }) => overdue);
}

const unbuilt = (pods: readonly Judged[]) =>
  pods.filter((one) => one.standing === 'failed' || (one.waited && !one.overdue)).map(({ pod }) => pod.uid);

export const endingOf = onceAnEnding((story): Ending => {
  const judged = sinceEdit(story).map(judgeObviously);
  const settledAt = judged.findIndex(settlesNow);
  const since = settledAt < 0 ? [] : judged.slice(settledAt);
  const awaited = unbuilt(since[0] ?? []).filter((uid) => since.every((pods) => unbuilt(pods).includes(uid)));
  return {
    now: last(story),
    pods: judgeObviously(story),
    settled: settledAt >= 0,
    awaited: new Set(awaited),
  };
});

const fails = (pods: readonly Judged[]) => pods.some((one) => one.standing === 'failed' || one.overdue);

/** The verdict at the end of `story`: while nothing newer can be said, that of the moment before. */
export const verdictOf = onceAnEnding((story): Verdict => {
  const { pods, settled, awaited, now } = endingOf(story);
  const before = story.length > 1 ? verdictOf(story.slice(0, -1)) : undefined;
  const standing =
    before === undefined || before.observedGeneration === 0
      ? {
          observedGeneration: 0,
          succeeded: false,
          error: buildingWords(pods),
          briefError: buildingWords(pods),
        }
      : before;
  if (!settled) return standing;
  if (fails(pods)) return { observedGeneration: now.generation, succeeded: false, ...unhealthyWords(pods) };
  if (count(pods, 'succeeded') === 0 || awaited.size > 0) return standing;
  const failure = lastBefore(story, (part) => endingOf(part).settled && fails(judgeObviously(part)));
  if (failure !== undefined) return verdictOf(failure);
  return { observedGeneration: now.generation, succeeded: true, error: '', briefError: '' };
});

/** `False/PodsFailed`: True only after ten seconds without a False, and a failure that is over is not brought back. */
function readyOf(story: readonly Moment[]): ObviousReady {
  const ready = readyNow(story);
  const failure = lastBefore(story, (part) => readyNow(part).startsWith('False'));
  if (!ready.startsWith('True') || failure === undefined) return ready;
  const since = sinceEdit(story).slice(sinceEdit(story).findIndex((part) => last(part) === last(failure)));
  return since.some((part) => readyNow(part).startsWith('Unknown')) ? 'Unknown/Building' : readyNow(failure);
}

const readyNow = onceAnEnding((story) => rawReady(endingOf(story)));

/** The story up to the last moment of this generation at which it `held`, if that was over less than ten seconds ago. */
export function lastBefore(
  story: readonly Moment[],
  held: (part: readonly Moment[]) => boolean,
): readonly Moment[] | undefined {
  const parts = sinceEdit(story);
  const at = parts.findLastIndex(held);
  const over = parts[at + 1];
  if (at < 0 || over === undefined) return undefined;
  return last(story).atS - last(over).atS < HOLD_S ? parts[at] : undefined;
}

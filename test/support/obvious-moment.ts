import type { ReportStatus } from '@executor-status/api';

/** A pod as everybody can see it at one moment. */
export interface ObviousPod {
  readonly name: string;
  readonly uid: string;
  readonly expected: boolean;
  readonly hasWriter: boolean;
  readonly lost: boolean;
  readonly writerDown: boolean;
  readonly ratifyStartedAt?: string;
}

/** All that is known at one moment of a story. */
export interface Moment {
  readonly atS: number;
  readonly generation: number;
  readonly pods: readonly ObviousPod[];
  /** What pods have reported, by the uid of the pod. */
  readonly reports: ReadonlyMap<string, ReportStatus>;
  readonly blockedBy?: string | undefined;
}

/** One expected pod at one moment, judged by the whole story before it. */
export interface Judged {
  readonly pod: ObviousPod;
  readonly report: ReportStatus | undefined;
  readonly standing: 'succeeded' | 'failed' | 'behind' | 'missing' | 'unobserved';
  /** Missing or behind. */
  readonly waited: boolean;
  /** Waited for, and longer than the grace. */
  readonly overdue: boolean;
  readonly stale: boolean;
}

const GRACE_S = 60;
const DOWN_S = 30;

/** The expected pods at the end of `story`, by name: section 5.2 of the design, word by word. */
export const judgeObviously = onceAnEnding((story): readonly Judged[] => {
  const now = last(story);
  return now.pods
    .filter((pod) => pod.expected)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((pod) => {
      const report = now.reports.get(pod.uid);
      const standing = standingOf(pod, report, now.generation);
      const waited = standing === 'missing' || standing === 'behind';
      const graceEndS = Math.max(expectedSince(story, pod.uid), generationSince(story)) + GRACE_S;
      const down = downSince(story, pod.uid);
      const stale = pod.lost || (down !== undefined && now.atS >= down + DOWN_S);
      return {
        pod,
        report,
        standing,
        waited,
        overdue: waited && now.atS >= graceEndS,
        stale: report !== undefined && stale,
      };
    });
});

/** Works `what` out once for each ending of a story, which belongs to no other story. */
export function onceAnEnding<T>(what: (story: readonly Moment[]) => T): (story: readonly Moment[]) => T {
  const known = new WeakMap<Moment, { readonly found: T }>();
  return (story) => {
    const found = known.get(last(story)) ?? { found: what(story) };
    known.set(last(story), found);
    return found.found;
  };
}

export function last(story: readonly Moment[]): Moment {
  const moment = story.at(-1);
  if (moment === undefined) throw new Error('a story has a moment');
  return moment;
}

function standingOf(
  pod: ObviousPod,
  report: ReportStatus | undefined,
  generation: number,
): Judged['standing'] {
  if (report === undefined) return pod.hasWriter ? 'missing' : 'unobserved';
  if (report.executorGeneration < generation) return 'behind';
  return report.succeeded ? 'succeeded' : 'failed';
}

/** Since when it has been so at every moment up to now; undefined if it is not so now. */
function sinceWhen(story: readonly Moment[], holds: (moment: Moment) => boolean): number | undefined {
  let since: number | undefined;
  for (const moment of story) since = holds(moment) ? (since ?? moment.atS) : undefined;
  return since;
}

const podIn = (moment: Moment, uid: string) => moment.pods.find((pod) => pod.uid === uid);

const expectedSince = (story: readonly Moment[], uid: string) =>
  sinceWhen(story, (moment) => podIn(moment, uid)?.expected === true) ?? last(story).atS;

const downSince = (story: readonly Moment[], uid: string) =>
  sinceWhen(story, (moment) => podIn(moment, uid)?.writerDown === true);

const generationSince = (story: readonly Moment[]) =>
  sinceWhen(story, ({ generation }) => generation === last(story).generation) ?? 0;

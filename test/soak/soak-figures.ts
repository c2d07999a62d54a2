import { type Point, processFigures, slopePerHour } from './process-figures.ts';
import type { ReportWorld } from './report-world.ts';

/** What was seen at the end of one round, when all reports were right. */
export interface RoundFigures {
  readonly atMs: number;
  /** Connections of all writers. */
  readonly sockets: number;
  /** Of the writer with the most. */
  readonly mostFiles: number;
  /** Of the writer that was never restarted. */
  readonly rssMiB: number;
  readonly mostRssMiB: number;
}

/** Looks at the writers at rest. */
export async function roundFigures({ proxy, writers }: ReportWorld, atMs: number): Promise<RoundFigures> {
  const each = await Promise.all([...writers.running.values()].map(({ pid }) => processFigures(pid)));
  return {
    atMs,
    sockets: proxy.stats().connections,
    mostFiles: Math.max(...each.map(({ files }) => files)),
    rssMiB: each[0]?.rssMiB ?? 0,
    mostRssMiB: Math.max(...each.map(({ rssMiB }) => rssMiB)),
  };
}

/** One line about a round. */
export function roundLine({ atMs, sockets, mostFiles, rssMiB, mostRssMiB }: RoundFigures): string {
  const rss = `RSS ${rssMiB.toFixed(1)} MiB (most ${mostRssMiB.toFixed(1)})`;
  return `${String(Math.round(atMs / 1000)).padStart(6)} s: all reports right; ${sockets} sockets, at most ${mostFiles} files, ${rss}`;
}

/** What grows although it must not. */
export function growth(rounds: readonly RoundFigures[], writers: number): readonly string[] {
  const last = rounds.at(-1);
  // The first rounds warm up: code is compiled, caches fill.
  const [first] = rounds.slice(Math.floor(rounds.length / 4));
  if (last === undefined || first === undefined) return [];
  return [
    // One connection each, and one that is being given up.
    ...(last.sockets > writers * MOST_SOCKETS ? [`${last.sockets} sockets for ${writers} writers`] : []),
    ...(last.mostFiles > first.mostFiles + MOST_MORE_FILES
      ? [`files grew from ${first.mostFiles} to ${last.mostFiles}`]
      : []),
    ...(last.mostRssMiB > MOST_RSS_MIB ? [`a writer has ${last.mostRssMiB.toFixed(1)} MiB`] : []),
    ...longSlope(rounds),
  ];
}

const MOST_SOCKETS = 2;
const MOST_MORE_FILES = 6;
/** Run from its sources and with a heap that Node chooses, a writer takes more than in its image (budget 84 MiB). */
const MOST_RSS_MIB = 200;
const HOUR_MS = 3_600_000;

/** Of the writer that was never restarted, after the first quarter of the rounds. */
export function rssSlope(rounds: readonly RoundFigures[]): string {
  const late = rounds.slice(Math.floor(rounds.length / 4));
  const points: Point[] = late.map(({ atMs, rssMiB }) => ({ atMs, value: rssMiB }));
  if (points.length < FEWEST_POINTS) return `too short to tell (${points.length} of ${FEWEST_POINTS} looks)`;
  return `${slopePerHour(points).toFixed(2)} MiB/h over ${points.length} looks`;
}

/** Between fewer looks, collections of garbage are all that one sees. */
const FEWEST_POINTS = 6;

/** After the first hour memory may not grow by 1 MiB an hour (RP-9); shorter runs cannot tell. */
function longSlope(rounds: readonly RoundFigures[]): readonly string[] {
  const late = rounds.filter(({ atMs }) => atMs > HOUR_MS);
  const first = late[0]?.atMs ?? 0;
  if ((late.at(-1)?.atMs ?? 0) - first < HOUR_MS) return [];
  const slope = slopePerHour(late.map(({ atMs, rssMiB }) => ({ atMs, value: rssMiB })));
  return slope < 1 ? [] : [`memory grows by ${slope.toFixed(2)} MiB an hour`];
}

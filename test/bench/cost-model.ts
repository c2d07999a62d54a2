import { reportsOf } from './growth.ts';
import { burstSizes, figureOf, type LastRun } from './last-run.ts';
import { type Size, sizeName } from './measurement.ts';

/** A cost as a straight line: what it is without any report, and what each report adds. */
export interface Line {
  readonly base: number;
  readonly perReport: number;
}

/** What the bursts of a run tell about other sizes. */
export interface CostModel {
  /** Seconds of processor time for a burst. */
  readonly cpu: Line;
  /** MiB at the peak. */
  readonly memory: Line;
  /** Reports a second that the API server takes beside an aggregator. */
  readonly rate: number;
}

/** Fits a straight line through the measured sizes, by least squares. */
export function costModel(run: LastRun): CostModel {
  const sizes = burstSizes(run);
  const figure = (what: string) => (size: Size) => figureOf(run, `burst.${sizeName(size)}.${what}`);
  const fitted = (what: string) => fit(sizes.map((size) => [reportsOf(size), figure(what)(size)] as const));
  const largest = sizes.at(-1);
  if (largest === undefined) throw new Error('the run has measured no burst');
  return { cpu: fitted('cpu'), memory: fitted('peak-rss'), rate: figure('load')(largest) };
}

/** The line that is nearest to all points. */
export function fit(points: readonly (readonly [x: number, y: number])[]): Line {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(([at]) => at), mean(([, value]) => value)];
  const spread = mean(([at]) => (at - x) ** 2);
  const perReport = spread === 0 ? 0 : mean(([at, value]) => (at - x) * (value - y)) / spread;
  return { base: y - perReport * x, perReport };
}

/** What is to be expected at a size. */
export interface Expected {
  readonly size: Size;
  readonly reports: number;
  readonly memoryMiB: number;
  readonly cpuS: number;
  /** How long the API server takes to swallow one report of every pod about every executor, in seconds. */
  readonly burstS: number;
  readonly writes: number;
}

/** Applies the model to a size. */
export function expect(size: Size, { cpu, memory, rate }: CostModel): Expected {
  const reports = reportsOf(size);
  const burstS = reports / rate;
  return {
    size,
    reports,
    memoryMiB: memory.base + memory.perReport * reports,
    cpuS: Math.max(0, cpu.base) + cpu.perReport * reports,
    burstS,
    writes: size.executors * writesPerExecutor(burstS),
  };
}

/**
 * Most writes of one status in a rollout of a spec that succeeds everywhere: the edit, the end, and progress in between, which
 * waits 2, 4, 8 … 60 s (design rule 9).
 */
export function writesPerExecutor(burstS: number): number {
  let writes = 2;
  let waitS = 2;
  for (let at = waitS; at < burstS; at += waitS) {
    writes++;
    waitS = Math.min(waitS * 2, 60);
  }
  return writes;
}

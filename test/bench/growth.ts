import { type Figures, type Size, sizeName } from './measurement.ts';

/** Two sizes to compare. */
export interface Pair {
  readonly from: Size;
  readonly to: Size;
}

/** Which sizes show how the cost grows. */
export interface GrowthPlan {
  /** More pods, as many executors. */
  readonly pods: Pair;
  /** More executors, as many reports. */
  readonly executors: Pair;
}

/** The slopes of what bursts have cost, from figures that are there already; nothing where a burst was not measured. */
export function addGrowth({ pods, executors }: GrowthPlan, figures: Figures): void {
  const add = (name: string, value: number | undefined, unit: string) => {
    if (value !== undefined) figures.add(`growth.${name}`, value, unit);
  };
  const writes = slope(pods, (size) => per(figures.get(`burst.${sizeName(size)}.writes`), size.executors));
  add('writes-per-executor', writes && writes / ((pods.to.pods - pods.from.pods) / 1000), 'per 1,000 pods');
  const more = executors.to.executors - executors.from.executors;
  const cpu = slope(executors, perReport(figures, 'cpu'));
  add('cpu-per-report', cpu && (cpu * 1000) / more, 'ms per executor');
  const memory = slope(executors, perReport(figures, 'peak-rss'));
  add('memory-per-report', memory && (memory * 1024) / more, 'KiB per executor');
}

export const reportsOf = ({ pods, executors }: Size) => pods * executors;

function slope({ from, to }: Pair, cost: (size: Size) => number | undefined): number | undefined {
  const [before, after] = [cost(from), cost(to)];
  return before === undefined || after === undefined ? undefined : after - before;
}

function perReport(figures: Figures, what: string): (size: Size) => number | undefined {
  return (size) => per(figures.get(`burst.${sizeName(size)}.${what}`), reportsOf(size));
}

const per = (value: number | undefined, count: number) => value && value / count;

import type { Times } from './aggregation.ts';
import type { AggregationPlan } from './bench-aggregation.ts';
import type { WorkName } from './bench-arguments.ts';
import type { FleetSize } from './fleet-writers.ts';
import type { GrowthPlan } from './growth.ts';

type AggregationWork = AggregationPlan['works'][number];

/** The sizes of a run. */
export interface BenchPlan {
  readonly aggregations: readonly Pick<AggregationPlan, 'size' | 'works'>[];
  readonly growth: GrowthPlan;
  readonly times: Times;
  readonly fleet: FleetSize;
  readonly sidecar: { readonly minutes: number; readonly writesPerMinute: number };
  readonly verdictRounds: number;
  readonly limitPods: number;
}

const SMALL = { pods: 50, executors: 20 };
const MIDDLE = { pods: 1000, executors: 5 };
const LARGE = { pods: 5000, executors: 5 };
/** As many reports as the middle, of fewer pods about more executors. */
const BROAD = { pods: 250, executors: 20 };
/** As many reports as the small, of more pods about fewer executors. */
const LONG = { pods: 200, executors: 5 };

/** The run whose figures `docs/sizing.md` holds; below half an hour. */
const FULL: BenchPlan = {
  aggregations: [
    { size: SMALL, works: ['create', 'burst'] },
    { size: BROAD, works: ['create', 'burst'] },
    { size: MIDDLE, works: ['create', 'burst'] },
    { size: LARGE, works: ['create', 'burst', 'idle', 'takeover', 'restart'] },
  ],
  growth: { pods: { from: MIDDLE, to: LARGE }, executors: { from: MIDDLE, to: BROAD } },
  times: { restS: 12, idleS: 120 },
  fleet: { writers: 1000, processes: 20 },
  sidecar: { minutes: 10, writesPerMinute: 1 },
  verdictRounds: 10,
  limitPods: 1000,
};

/** The same works, smaller: below four minutes. */
const QUICK: BenchPlan = {
  aggregations: [
    { size: SMALL, works: ['create', 'burst', 'idle', 'takeover', 'restart'] },
    { size: LONG, works: ['create', 'burst'] },
  ],
  growth: { pods: { from: LONG, to: MIDDLE }, executors: { from: LONG, to: SMALL } },
  times: { restS: 4, idleS: 15 },
  fleet: { writers: 60, processes: 5 },
  sidecar: { minutes: 0.5, writesPerMinute: 4 },
  verdictRounds: 2,
  limitPods: 500,
};

/** What a run of the given works does; without any, all of them. */
export function benchPlan({
  quick,
  works,
}: {
  readonly quick: boolean;
  readonly works: readonly WorkName[];
}): BenchPlan {
  const plan = quick ? QUICK : FULL;
  const wanted = (work: AggregationWork) => works.includes(work);
  const aggregations = plan.aggregations
    .map(({ size, works: all }) => ({ size, works: all.filter(wanted) }))
    .filter((one) => one.works.length > 0);
  return { ...plan, aggregations };
}

import { benchAggregation } from './bench-aggregation.ts';
import type { WorkName } from './bench-arguments.ts';
import { buildBundles } from './bench-bundles.ts';
import type { BenchPlan } from './bench-plan.ts';
import { benchErrors } from './errors.ts';
import { benchFleet } from './fleet.ts';
import { addGrowth } from './growth.ts';
import { benchLimit } from './limit.ts';
import type { Figures } from './measurement.ts';
import { benchSidecar } from './sidecar.ts';
import { benchVerdict } from './verdict.ts';

/** What is measured, and where the built apps are kept meanwhile. */
export interface Works {
  readonly works: readonly WorkName[];
  readonly plan: BenchPlan;
  readonly directory: string;
}

/** Runs works one after another; two at once would measure each other. */
export async function runWorks({ works, plan, directory }: Works, figures: Figures): Promise<void> {
  const { times } = plan;
  const bundles = await buildBundles(directory);
  if (works.includes('limit')) await benchLimit(plan.limitPods, figures);
  if (works.includes('verdict')) await benchVerdict(plan.verdictRounds, figures);
  for (const aggregation of plan.aggregations) {
    await benchAggregation({ ...aggregation, times, program: bundles.aggregator }, figures);
  }
  addGrowth(plan.growth, figures);
  if (works.includes('errors')) await benchErrors(bundles.aggregator, figures, times.restS);
  if (works.includes('fleet')) await benchFleet({ ...plan.fleet, bundles, restS: times.restS }, figures);
  if (works.includes('sidecar')) await benchSidecar({ ...plan.sidecar, program: bundles.writer }, figures);
}

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

/**
 * Runs works one after another; two at once would measure each other. A work that breaks does not keep the others from running.
 *
 * @returns what broke.
 */
export async function runWorks(
  { works, plan, directory }: Works,
  figures: Figures,
): Promise<readonly unknown[]> {
  const broken: unknown[] = [];
  const attempt = async (run: () => Promise<void>) => {
    await run().catch((error: unknown) => {
      console.error(error);
      broken.push(error);
    });
  };
  const { times } = plan;
  const bundles = await buildBundles(directory);
  if (works.includes('limit')) await attempt(() => benchLimit(plan.limitPods, figures));
  if (works.includes('verdict')) await attempt(() => benchVerdict(plan.verdictRounds, figures));
  for (const aggregation of plan.aggregations) {
    const program = bundles.aggregator;
    await attempt(() => benchAggregation({ ...aggregation, times, program }, figures));
  }
  addGrowth(plan.growth, figures);
  if (works.includes('errors')) await attempt(() => benchErrors(bundles.aggregator, figures, times.restS));
  const fleet = { ...plan.fleet, bundles, restS: times.restS };
  if (works.includes('fleet')) await attempt(() => benchFleet(fleet, figures));
  const sidecar = { ...plan.sidecar, program: bundles.writer };
  if (works.includes('sidecar')) await attempt(() => benchSidecar(sidecar, figures));
  return broken;
}

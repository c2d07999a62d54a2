import type { Aggregation, Times } from './aggregation.ts';
import type { Program } from './bench-bundles.ts';
import { BenchCluster } from './bench-cluster.ts';
import { measureBurst } from './burst.ts';
import { measureCreate } from './create.ts';
import { measureIdle } from './idle.ts';
import { type Figures, type Size, sizeName } from './measurement.ts';
import { measureRestart } from './restart.ts';
import { measureTakeover } from './takeover.ts';

/** What is measured at which size; `create` always, since everything needs it. */
export interface AggregationPlan {
  readonly size: Size;
  readonly works: readonly ('create' | 'burst' | 'idle' | 'takeover' | 'restart')[];
  readonly program: Program;
  readonly times: Times;
}

/** Runs works on one control plane, at one size. */
export async function benchAggregation(plan: AggregationPlan, figures: Figures): Promise<void> {
  const { works } = plan;
  await using cluster = await BenchCluster.start();
  const aggregation = await startAggregation(cluster, plan, figures);
  await measureCreate(aggregation);
  if (works.includes('burst')) await measureBurst(aggregation);
  if (works.includes('idle')) await measureIdle(aggregation);
  if (works.includes('takeover')) await measureTakeover(aggregation);
  if (works.includes('restart')) await measureRestart(aggregation);
}

/** Makes executors and pods, and starts an aggregator that leads; there are no reports yet. */
export async function startAggregation(
  cluster: BenchCluster,
  { size, program, times }: Omit<AggregationPlan, 'works'>,
  figures: Figures,
): Promise<Aggregation> {
  const targets = await cluster.applyExecutors(executorNames(size.executors));
  await cluster.makePods(size.pods);
  const leader = await cluster.startAggregator(program);
  await leader.app.waitForLog(({ msg }) => msg === LEADS);
  const label = (work: string) => `${work}.${sizeName(size)}`;
  return { size, program, times, cluster, label, figures, leader, targets };
}

const LEADS = 'leads from now on';

export function executorNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `bench-${String(index).padStart(3, '0')}`);
}

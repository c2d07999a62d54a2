import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from './bench-bundles.ts';
import type { Aggregator, BenchCluster } from './bench-cluster.ts';
import type { Target } from './load-job.ts';
import type { Figures, Size } from './measurement.ts';
import { untilReady } from './until-ready.ts';

/** Pods that report about executors, and who aggregates; the works on it follow one another. */
export interface Aggregation {
  readonly cluster: BenchCluster;
  readonly size: Size;
  /** As in `burst.50x20`. */
  readonly label: (work: string) => string;
  readonly figures: Figures;
  readonly program: Program;
  readonly times: Times;
  /** Who leads at the moment. */
  leader: Aggregator;
  follower?: Aggregator;
  /** The executors at their newest generation. */
  targets: readonly Target[];
}

/** How long the works look at what should not move, in seconds. */
export interface Times {
  readonly restS: number;
  readonly idleS: number;
}

/** The replica that does not lead; started when it is needed first. */
export async function followerOf(aggregation: Aggregation): Promise<Aggregator> {
  aggregation.follower ??= await aggregation.cluster.startAggregator(aggregation.program);
  await untilReady(aggregation.follower.app);
  return aggregation.follower;
}

/** Nothing is to happen for a while. */
export async function rest(seconds: number): Promise<void> {
  await sleep(seconds * 1000);
}

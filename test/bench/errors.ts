import { encodedBytes } from '@executor-status/api';
import { rest } from './aggregation.ts';
import type { Program } from './bench-bundles.ts';
import { BenchCluster } from './bench-cluster.ts';
import type { Figures } from './measurement.ts';
import { sortWrites, untilRight } from './status-writes.ts';

const PODS = 200;
const ERROR_BYTES = 16_384;
const DEADLINE_MS = 30_000;

/** 200 pods with 16 KiB of error each, cut by the writers to what the CRD takes. */
export async function benchErrors(program: Program, figures: Figures, restS: number): Promise<void> {
  await using cluster = await BenchCluster.start();
  const targets = await cluster.applyExecutors(['bench-errors']);
  await cluster.makePods(PODS);
  await cluster.startAggregator(program);
  const load = await cluster.load.run({ kind: 'create', targets, seed: 1, errorBytes: ERROR_BYTES });
  const isRight = ({ podCounts }: { readonly podCounts?: { readonly failed: number } }) =>
    podCounts?.failed === PODS;
  const right = await untilRight({ cluster, targets, isRight, deadlineMs: DEADLINE_MS }).catch(
    (error: unknown) => {
      console.error(`errors: ${String(error)}`);
      return load.endedAt + DEADLINE_MS;
    },
  );
  await rest(restS);
  const { accepted, refused, conflicts, largestBytes } = sortWrites(await cluster.statusWrites());
  const { status } = await cluster.executor('bench-errors');
  figures.add('errors.writes', accepted.length);
  figures.add('errors.refused', refused.length + conflicts);
  figures.add('errors.shown', status?.podCounts?.failed ?? 0, 'pods');
  figures.add('errors.lag', Math.max(0, right - load.endedAt) / 1000, 's');
  figures.add('errors.status-size', Math.max(largestBytes, encodedBytes(status)) / 1024, 'KiB');
}

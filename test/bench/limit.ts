import { BenchCluster } from './bench-cluster.ts';
import type { Figures } from './measurement.ts';

/** What the API server takes from the load generator alone. */
export async function benchLimit(pods: number, figures: Figures): Promise<void> {
  await using cluster = await BenchCluster.start();
  const targets = await cluster.applyExecutors(['bench-limit-a', 'bench-limit-b']);
  await cluster.makePods(pods);
  const created = await cluster.load.run({ kind: 'create', targets, seed: 1 });
  const before = cluster.load.cpuS;
  const updated = await cluster.load.run({ kind: 'update', targets, seed: 2 });
  const seconds = (updated.endedAt - updated.startedAt) / 1000;
  const createdIn = (created.endedAt - created.startedAt) / 1000;
  figures.add('limit.creates', created.requests / 2 / createdIn, 'reports/s');
  figures.add('limit.status-writes', updated.requests / seconds, 'writes/s');
  figures.add('limit.generator-cpu', (cluster.load.cpuS - before) / seconds, 's/s');
}

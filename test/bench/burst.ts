import type { Aggregation } from './aggregation.ts';
import { measureReports } from './measure-reports.ts';

/** The generation of each executor is bumped, then every report is updated once, in random order, as fast as the server takes it. */
export async function measureBurst(aggregation: Aggregation): Promise<void> {
  const { cluster, targets } = aggregation;
  const names = targets.map(({ name }) => name);
  await measureReports(aggregation, 'burst', async () => {
    aggregation.targets = await cluster.applyExecutors(names, { scope: 'burst.example' });
    return { kind: 'update', targets: aggregation.targets, seed: 2 };
  });
}

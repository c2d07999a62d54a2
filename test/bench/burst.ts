import type { Aggregation } from './aggregation.ts';
import { measureReports } from './measure-reports.ts';
import { usageOf } from './process-usage.ts';

/** The generation of each executor is bumped, then every report is updated once, in random order, as fast as the server takes it. */
export async function measureBurst(aggregation: Aggregation): Promise<void> {
  const { cluster, targets, figures, leader } = aggregation;
  const names = targets.map(({ name }) => name);
  await measureReports(aggregation, 'burst', async () => {
    aggregation.targets = await cluster.applyExecutors(names, { scope: 'burst.example' });
    return { kind: 'update', targets: aggregation.targets, seed: 2 };
  });
  const { peakRssMiB } = usageOf(leader.app.pid);
  figures.add(`${aggregation.label('burst')}.peak-rss`, peakRssMiB, 'MiB');
}

import { type Aggregation, followerOf, rest } from './aggregation.ts';
import { LEASES_RESOURCE } from './lease-writes.ts';
import { cpuSecondsOf } from './process-usage.ts';

/** Nothing happens, with two replicas. */
export async function measureIdle(aggregation: Aggregation): Promise<void> {
  const { cluster, figures, leader, times } = aggregation;
  const follower = await followerOf(aggregation);
  await rest(times.restS);
  const pids = [leader, follower].map(({ app }) => app.pid);
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const since = await cluster.controlPlane.audit.mark();
  const before = cpu();
  await rest(times.idleS);
  const millicores = ((cpu() - before) / times.idleS) * 1000;
  const writes = await cluster.aggregatorWrites({ since });
  const name = aggregation.label('idle');
  figures.add(`${name}.cpu`, millicores, 'millicores');
  figures.add(`${name}.writes`, writes.filter(({ resource }) => resource !== LEASES_RESOURCE).length);
}

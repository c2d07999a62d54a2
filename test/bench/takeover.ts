import { type Aggregation, followerOf } from './aggregation.ts';
import { isFrom, wonLeaseAt } from './lease-writes.ts';
import { allBuilt, sortWrites, untilRight } from './status-writes.ts';

const DEADLINE_MS = 60_000;

/** The leader is killed, a pod fails meanwhile, and the warm follower takes over. */
export async function measureTakeover(aggregation: Aggregation): Promise<void> {
  const { cluster, figures, size, leader } = aggregation;
  const follower = await followerOf(aggregation);
  const since = await cluster.controlPlane.audit.mark();
  const changed = aggregation.targets.slice(0, 1);
  const report = { kind: 'update', targets: changed, pods: 1, seed: 3 } as const;
  leader.app.kill('SIGKILL');
  const killedAt = Date.now();
  await cluster.load.run({ ...report, failing: true });
  const isRight = ({ podCounts }: { readonly podCounts?: { readonly failed: number } }) =>
    podCounts?.failed === 1;
  await untilRight({ cluster, targets: changed, isRight, deadlineMs: DEADLINE_MS, since });
  const { accepted } = sortWrites(await cluster.statusWrites({ since }));
  // The dead leader may have written to the very end.
  const [first] = accepted.filter((write) => isFrom(write, follower.pod.name));
  if (first === undefined) throw new Error('the follower has written nothing');
  const wonAt = await wonLeaseAt(cluster, follower, since);
  const name = aggregation.label('takeover');
  figures.add(`${name}.kill-to-lease`, (wonAt - killedAt) / 1000, 's');
  figures.add(`${name}.lease-to-write`, (first.at - wonAt) / 1000, 's');
  figures.add(`${name}.kill-to-write`, (first.at - killedAt) / 1000, 's');
  figures.add(`${name}.unneeded-writes`, accepted.filter((write) => write.name !== changed[0]?.name).length);
  aggregation.leader = follower;
  delete aggregation.follower;
  const healed = await cluster.controlPlane.audit.mark();
  await cluster.load.run(report);
  await untilRight({
    cluster,
    targets: changed,
    isRight: allBuilt(size.pods),
    deadlineMs: DEADLINE_MS,
    since: healed,
  });
}

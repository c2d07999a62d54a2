import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Aggregation, rest } from './aggregation.ts';
import { sortWrites, untilRight } from './status-writes.ts';

const DEADLINE_MS = 60_000;
const PROBE = fileURLToPath(new URL('event-loop-probe.ts', import.meta.url));

/** No aggregator runs, a pod fails meanwhile, and a new one starts over everything there is. */
export async function measureRestart(aggregation: Aggregation): Promise<void> {
  const { cluster, figures, program, leader, times } = aggregation;
  const changed = aggregation.targets.slice(-1);
  await leader.app.stop();
  await cluster.load.run({ kind: 'update', targets: changed, pods: 1, failing: true, seed: 4 });
  const since = await cluster.controlPlane.audit.mark();
  const delays = join(cluster.controlPlane.directory, 'event-loop.json');
  const nodeFlags = [...program.nodeFlags, `--import=${PROBE}`];
  const startedAt = Date.now();
  const started = await cluster.startAggregator({
    ...program,
    nodeFlags,
    env: { ...program.env, EVENT_LOOP_FILE: delays },
  });
  aggregation.leader = started;
  const isRight = ({ podCounts }: { readonly podCounts?: { readonly failed: number } }) =>
    podCounts?.failed === 1;
  const right = await untilRight({ cluster, targets: changed, isRight, deadlineMs: DEADLINE_MS, since });
  await rest(times.restS);
  const { accepted } = sortWrites(await cluster.statusWrites({ since }));
  await started.app.stop();
  const { maxMs } = JSON.parse(await readFile(delays, 'utf8')) as { readonly maxMs: number };
  const name = aggregation.label('restart');
  figures.add(`${name}.first-write`, (right - startedAt) / 1000, 's');
  figures.add(`${name}.unneeded-writes`, accepted.length - 1);
  figures.add(`${name}.event-loop`, maxMs, 'ms');
}

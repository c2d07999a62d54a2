import { setTimeout as sleep } from 'node:timers/promises';
import { REPORT_PLURAL } from '@executor-status/api';
import { startApp } from '../support/app-process.ts';
import type { Program } from './bench-bundles.ts';
import { BenchCluster, NAMESPACE, WRITER_USER, WRITES } from './bench-cluster.ts';
import type { Figures } from './measurement.ts';
import { connectionsOf, cpuSecondsOf, usageOf } from './process-usage.ts';

const EXECUTOR = 'bench-sidecar';
const SAMPLE_MS = 2000;

/** How long, and how often something is written. */
export interface SidecarPlan {
  readonly program: Program;
  readonly minutes: number;
  readonly writesPerMinute: number;
}

/** One writer, bundled as in the image, over some minutes with a write now and then. */
export async function benchSidecar(plan: SidecarPlan, figures: Figures): Promise<void> {
  await using cluster = await BenchCluster.start();
  const { controlPlane } = cluster;
  await cluster.applyExecutors([EXECUTOR]);
  const pod = await controlPlane.makePod({ namespace: NAMESPACE });
  const credentials = await controlPlane.inClusterDirectory(await controlPlane.podToken(pod, 7200));
  const { nodeFlags, entry, env } = plan.program;
  const startedAt = Date.now();
  await using writer = await startApp({
    nodeFlags,
    entry,
    args: ['--probe-port=0', '--start-jitter=0s', `--credentials-dir=${credentials}`],
    env: { ...controlPlane.podEnv(pod), ...env },
  });
  const reports = { user: WRITER_USER, verb: WRITES, resource: REPORT_PLURAL };
  const [first] = await controlPlane.audit.waitFor(reports);
  figures.add('sidecar.up', ((first?.at ?? Number.NaN) - startedAt) / 1000, 's');
  const { pid } = writer;
  const port = Number(new URL(controlPlane.url).port);
  const cpuAtStart = cpuSecondsOf(pid);
  const peaks = { rss: 0, own: 0, connections: 0 };
  const began = Date.now();
  for (let write = 0; write < plan.minutes * plan.writesPerMinute; write++) {
    await cluster.applyExecutors([EXECUTOR], { scope: `edit-${write}.example` });
    const until = began + ((write + 1) * 60_000) / plan.writesPerMinute;
    while (Date.now() < until) {
      const { rssMiB, privateMiB } = usageOf(pid);
      peaks.rss = Math.max(peaks.rss, rssMiB);
      peaks.own = Math.max(peaks.own, privateMiB);
      peaks.connections = Math.max(peaks.connections, connectionsOf(pid, port));
      await sleep(SAMPLE_MS);
    }
  }
  const millicores = ((cpuSecondsOf(pid) - cpuAtStart) / ((Date.now() - began) / 1000)) * 1000;
  figures.add('sidecar.rss', peaks.rss, 'MiB');
  figures.add('sidecar.private', peaks.own, 'MiB');
  figures.add('sidecar.connections', peaks.connections);
  figures.add('sidecar.cpu', millicores, 'millicores');
  figures.add('sidecar.writes', await controlPlane.audit.count(reports));
}

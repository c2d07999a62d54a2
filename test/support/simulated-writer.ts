import type { KubeClient } from '@executor-status/kube';
import { StatusWriter } from '../../apps/status-aggregator/src/write-status.ts';
import { WriteTrouble } from '../../apps/status-aggregator/src/write-trouble.ts';
import { silentLog } from './silent-log.ts';
import { silentMetrics } from './silent-metrics.ts';

/** The writer of statuses over a `client` in memory; the Lease always lasts longer than a call. */
export function simulatedWriter(ports: {
  readonly client: KubeClient;
  readonly fieldManager: string;
  readonly isLeader: () => boolean;
  /** Milliseconds of the simulated clock. */
  readonly now: () => number;
}): StatusWriter {
  return new StatusWriter({
    ...ports,
    executorGroup: 'config.ratify.sh',
    leaseLeftMs: () => 15_000,
    callTimeoutMs: 10_000,
    trouble: new WriteTrouble({ limitMs: 60_000, now: ports.now }),
    log: silentLog,
    metrics: silentMetrics,
    signal: new AbortController().signal,
  });
}

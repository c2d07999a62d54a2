import type { KubeClient } from '@executor-status/kube';
import { StatusWriter } from '../../apps/status-aggregator/src/write-status.ts';
import type { WriteTrouble } from '../../apps/status-aggregator/src/write-trouble.ts';
import { silentLog } from './silent-log.ts';
import { silentMetrics } from './silent-metrics.ts';

/** The writer of statuses over a `client` in memory; the Lease always lasts longer than a call. */
export function simulatedWriter(ports: {
  readonly client: KubeClient;
  readonly fieldManager: string;
  readonly isLeader: () => boolean;
  readonly trouble: WriteTrouble;
}): StatusWriter {
  return new StatusWriter({
    ...ports,
    executorGroup: 'config.ratify.sh',
    leaseLeftMs: () => 15_000,
    callTimeoutMs: 10_000,
    log: silentLog,
    metrics: silentMetrics,
    signal: new AbortController().signal,
  });
}

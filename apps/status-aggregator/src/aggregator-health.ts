import { REPORT_PLURAL } from '@executor-status/api';
import type { WorkQueue } from '@executor-status/controller';
import type { LeaderElection, WatchHealth } from '@executor-status/kube';
import type { HealthChecks, Metrics } from '@executor-status/process';
import type { Config } from './config.ts';

/** What the probes and gauges of the aggregator look at. */
export interface Watched {
  readonly watches: readonly WatchHealth[];
  readonly queue: WorkQueue;
  readonly election: LeaderElection;
  readonly config: Pick<Config, 'leaseDurationMs' | 'unheardAfterMs' | 'hangAfterMs'>;
  /** The clock of the queue, in milliseconds. */
  readonly now: () => number;
}

/** A follower is as ready as the leader. An outage of the API server makes both unready and fails no liveness. */
export function addHealthChecks(watched: Watched, live: HealthChecks, ready: HealthChecks): void {
  const { leaseDurationMs, unheardAfterMs, hangAfterMs } = watched.config;
  for (const watch of watched.watches) {
    ready.add(`watch-${watch.name}`, () => unreadiness(watch, unheardAfterMs));
    live.add(`watch-${watch.name}`, () =>
      watch.phase === 'watching' && watch.ageMs > hangAfterMs ? 'runs but hears nothing' : undefined,
    );
  }
  ready.add('leader', () => {
    const leaderlessMs = watched.election.leaderlessMs();
    return leaderlessMs > 2 * leaseDurationMs
      ? `nobody has held the Lease for ${Math.round(leaderlessMs / 1000)} s`
      : undefined;
  });
  live.add('queue', () => (watched.queue.longestMs(watched.now()) > hangAfterMs ? 'work hangs' : undefined));
}

/** Sets the gauges; to be called now and then. */
export function measure({ watches, queue, election }: Watched, metrics: Metrics): void {
  for (const { name, ageMs } of watches) {
    metrics.gauge('executor_status_watch_age_seconds', { resource: name }, ageMs / 1000);
  }
  metrics.gauge('executor_status_queue_depth', {}, queue.waiting);
  metrics.gauge('executor_status_leader', {}, election.isLeader() ? 1 : 0);
}

function unreadiness(watch: WatchHealth, unheardAfterMs: number): string | undefined {
  // A kind of executor that is not installed has no members; without our own kind nothing works.
  if (watch.phase === 'missing')
    return watch.name.startsWith(REPORT_PLURAL) ? 'the report CRD is not installed' : undefined;
  if (!watch.synced) return watch.lastError?.message ?? 'not listed yet';
  return watch.ageMs > unheardAfterMs ? `not heard for ${Math.round(watch.ageMs / 1000)} s` : undefined;
}

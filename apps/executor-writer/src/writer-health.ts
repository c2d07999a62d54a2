import type { WorkQueue } from '@executor-status/controller';
import type { WatchHealth } from '@executor-status/kube';
import type { HealthChecks, Metrics } from '@executor-status/process';

/** What the probes and gauges of the writer look at. */
export interface Watched {
  readonly watches: readonly WatchHealth[];
  readonly queues: Readonly<Record<string, WorkQueue>>;
  /** The clock of the queues, in milliseconds. */
  readonly now: () => number;
}

/**
 * The checks behind the probes. An outage of the API server makes the writer unready and never fails its liveness; work
 * that hangs, and a watch that says it runs and hears nothing, do.
 */
export function addHealthChecks(
  { watches, queues, now }: Watched,
  live: HealthChecks,
  ready: HealthChecks,
): void {
  for (const watch of watches) {
    ready.add(`watch-${watch.name}`, () => {
      // A kind that is not installed has no executors.
      if (watch.phase === 'missing') return undefined;
      if (!watch.synced) return watch.lastError?.message ?? 'not listed yet';
      return watch.ageMs > UNHEARD_MS ? `not heard for ${Math.round(watch.ageMs / 1000)} s` : undefined;
    });
    live.add(`watch-${watch.name}`, () =>
      watch.phase === 'watching' && watch.ageMs > STUCK_MS ? 'runs but hears nothing' : undefined,
    );
  }
  for (const [name, queue] of Object.entries(queues)) {
    live.add(`queue-${name}`, () => (queue.longestMs(now()) > STUCK_MS ? 'work hangs' : undefined));
  }
}

/** Sets the gauges; to be called now and then. */
export function measure({ watches, queues }: Watched, metrics: Metrics): void {
  for (const { name, ageMs } of watches) {
    metrics.gauge('executor_status_watch_age_seconds', { resource: name }, ageMs / 1000);
  }
  for (const [name, queue] of Object.entries(queues)) {
    metrics.gauge('executor_status_queue_depth', { queue: name }, queue.waiting);
  }
}

/** The server speaks on a watch once a minute; half a minute more is late. */
const UNHEARD_MS = 90_000;
const STUCK_MS = 300_000;

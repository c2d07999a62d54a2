import type { Reconciled } from '@executor-status/controller';
import {
  type Clock,
  createKubeClient,
  type KubeClient,
  type LeaderElection,
  type LeaderState,
  leaderElection,
} from '@executor-status/kube';
import { type AppContext, MisconfigurationError } from '@executor-status/process';
import {
  catchError,
  concat,
  defer,
  finalize,
  fromEvent,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { runAggregator } from './aggregator.ts';
import { addHealthChecks, measure } from './aggregator-health.ts';
import { ConditionMetrics } from './condition-metrics.ts';
import type { Config } from './config.ts';
import { credentialsOf } from './credentials-of.ts';
import { logDone } from './log-done.ts';
import { newChain } from './new-chain.ts';
import { sweeps } from './sweeps.ts';

/** What an aggregator runs in: its settings, logs, probes and end, and what it may not take from anywhere else. */
export interface AggregatorContext extends AppContext<Config> {
  readonly version: string;
  readonly clock: Clock;
  /** The wall clock. */
  readonly today: () => Date;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Different for each run of the program. */
  readonly nonce: string;
}

/**
 * The status-aggregator: runs until the context's signal aborts, and then gives the Lease up.
 *
 * Fails with a `MisconfigurationError` when a setting is wrong, and with another error when it loses the Lease, or gives it up since
 * nothing can be written: then the process must end, since others write now.
 */
export function startAggregator(context: AggregatorContext): Observable<Reconciled> {
  return defer(() => newClient(context)).pipe(
    mergeMap((client) => {
      const election = newElection(context, client);
      // An event that is past is not told again.
      const stopped = context.signal.aborted ? of('abort') : fromEvent(context.signal, 'abort');
      const release = defer(() => election.release()).pipe(ignoreElements());
      return concat(defer(() => run(context, client, election)).pipe(takeUntil(stopped)), release).pipe(
        catchError((error: unknown) =>
          error instanceof StuckError
            ? concat(
                release,
                throwError(() => error),
              )
            : throwError(() => error),
        ),
        finalize(() => void client.close()),
      );
    }),
  );
}

async function newClient({ config, env, clock, metrics, version }: AggregatorContext): Promise<KubeClient> {
  return createKubeClient({
    credentials: await credentialsOf(config, env),
    userAgent: `status-aggregator/${version}`,
    // Statuses have a budget of their own; what comes on top are reads after conflicts, sweeps with theirs, and the Lease.
    qps: (config.writesPerSecond + config.sweepsPerSecond) * 2 + 10,
    burst: config.writeBurst * 2 + 10,
    callTimeoutMs: config.callTimeoutMs,
    clock,
    metrics,
  });
}

function newElection(
  { config, clock, random, log, nonce }: AggregatorContext,
  client: KubeClient,
): LeaderElection {
  const { namespace, leaseName: name, leaseDurationMs, renewDeadlineMs, retryPeriodMs } = config;
  const identity = `${config.podName}_${nonce}`;
  const times = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  try {
    return leaderElection({ client, namespace, name, identity, ...times, clock, random, log });
  } catch (error) {
    throw new MisconfigurationError('--retry-period, --renew-deadline and --lease-duration do not fit', {
      cause: error,
    });
  }
}

function run(
  context: AggregatorContext,
  client: KubeClient,
  election: LeaderElection,
): Observable<Reconciled> {
  const { config, log, live, ready, metrics } = context;
  const ports = { ...context, client, election };
  const { health: watches, stuck, ...chain } = newChain(ports);
  const watched = { watches, queue: chain.queue, election, config, now: chain.now };
  const conditions = new ConditionMetrics(metrics);
  const gauges = timer(0, config.measureMs).pipe(
    tap(() => measure(watched, metrics)),
    tap(() => conditions.show(chain.world.allExecutors())),
    ignoreElements(),
  );
  const leadership = merge(election.states.pipe(map(orEnd)), stuck.pipe(map(giveUp)));
  addHealthChecks(watched, live, ready);
  const statuses = runAggregator({ ...chain, leadership }).pipe(tap(logDone(log)));
  return merge(gauges, sweeps(ports, chain.world), statuses);
}

/** The leader can renew the Lease, but not do its work. */
class StuckError extends Error {
  override readonly name = 'StuckError';
}

function giveUp(forMs: number): never {
  const text = `could not write any status for ${Math.round(forMs / 1000)} s`;
  throw new StuckError(`${text}: gives the Lease up, so that another process can try, and ends`);
}

function orEnd(state: LeaderState): LeaderState {
  if (state === 'lost')
    throw new Error('lost the Lease: another process writes the statuses now, so this one ends');
  return state;
}

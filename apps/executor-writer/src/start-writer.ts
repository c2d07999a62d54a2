import { EXECUTOR_PLURALS, type ExecutorKind, type PodIdentity } from '@executor-status/api';
import { type Clock, createKubeClient, type KubeClient, WatchHealth } from '@executor-status/kube';
import type { AppContext } from '@executor-status/process';
import {
  defer,
  finalize,
  from,
  fromEvent,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { Config } from './config.ts';
import { credentialsOf } from './credentials-of.ts';
import { executorRef } from './executor-key.ts';
import { requireClaim } from './identity.ts';
import { logDone } from './log-done.ts';
import { newChain } from './new-chain.ts';
import type { OwnReports } from './own-reports.ts';
import { podOutcomes } from './pod-outcomes.ts';
import { type BuildsView, Readiness } from './readiness.ts';
import { roundEnvironment } from './round-environment.ts';
import { startUp } from './start-up.ts';
import { runWriter, type WriterChain, type WriterDone } from './writer.ts';
import { addHealthChecks, measure } from './writer-health.ts';

/** What a writer runs in: its settings, logs, probes and end, and what it may not take from anywhere else. */
export interface WriterContext extends AppContext<Config> {
  readonly writerVersion: string;
  readonly clock: Clock;
  /** The wall clock. */
  readonly today: () => Date;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

/**
 * The executor-writer: waits a little, finds out who it is, and then runs until the context's signal aborts.
 *
 * Fails only before its first write, with a `MisconfigurationError` when somebody else has to change something.
 */
export function startWriter(context: WriterContext): Observable<WriterDone> {
  return defer(() => {
    const readiness = newReadiness(context);
    const started = context.ready.add(
      'start',
      () => 'has not found out yet who it is and what it has reported',
    );
    return from(newClient(context)).pipe(map((client) => ({ client, readiness, started })));
  }).pipe(
    mergeMap(({ client, readiness, started }) =>
      defer(() => begin(context, client)).pipe(
        tap(started),
        mergeMap(({ pod, own }) => run(context, client, { pod, own, readiness })),
        // An event that is past is not told again.
        takeUntil(context.signal.aborted ? of('abort') : fromEvent(context.signal, 'abort')),
        // Nobody waits for it: whatever is still open has no reader any more.
        finalize(() => void client.close()),
      ),
    ),
  );
}

function newReadiness({ config, clock, further }: WriterContext): Readiness {
  const { readinessPolicy: policy, readinessPatienceMs: patienceMs } = config;
  const readiness = new Readiness({ policy, patienceMs, now: () => clock.now() });
  further.add('builds', () => readiness.failure());
  return readiness;
}

async function newClient({ config, env, clock, metrics, writerVersion }: WriterContext): Promise<KubeClient> {
  requireClaim(config);
  return createKubeClient({
    credentials: await credentialsOf(config, env),
    userAgent: `executor-writer/${writerVersion}`,
    qps: config.qps,
    burst: config.burst,
    callTimeoutMs: config.callTimeoutMs,
    clock,
    metrics,
  });
}

async function begin(context: WriterContext, client: KubeClient) {
  const { config, clock, random, signal, attempt, started } = context;
  // Writers that were parked look again each at its own time, and somebody waits for them.
  if (attempt === 1) await clock.sleep(config.startJitterMs * random(), signal);
  const begun = await startUp({ ...context, client, claimed: config, executorGroup: config.executorGroup });
  started();
  return begun;
}

interface Self {
  readonly pod: PodIdentity;
  readonly own: OwnReports;
  readonly readiness: Readiness;
}

function run(
  context: WriterContext,
  client: KubeClient,
  { pod, own, readiness }: Self,
): Observable<WriterDone> {
  const { config, env, today, live, ready, metrics } = context;
  const log = context.log.child({ pod: pod.name, podUid: pod.uid });
  const watches = newWatches(client.clock);
  const source = podOutcomes(roundEnvironment(config, env, today));
  const chain = newChain({ ...context, client, source, watches, log }, pod, own);
  const watched = {
    watches: Object.values(watches),
    queues: { builds: chain.buildQueue, reports: chain.reportQueue },
    now: chain.now,
  };
  addHealthChecks(watched, live, ready);
  readiness.watch(buildsView(chain, own), own.refs());
  const gauges = timer(0, MEASURE_MS).pipe(
    tap(() => measure(watched, metrics)),
    ignoreElements(),
  );
  const noted = tap<WriterDone>(() => readiness.note());
  return merge(gauges, runWriter(chain).pipe(tap(logDone(log)), noted));
}

function buildsView({ sets, rounds }: WriterChain, own: OwnReports): BuildsView {
  return {
    executors: () =>
      sets.synced('Executor') ? sets.members('').map(({ metadata }) => executorRef(metadata)) : undefined,
    verdict: (ref) => rounds.verdict(ref),
    last: (ref) => own.last(ref),
  };
}

const MEASURE_MS = 5000;

function newWatches(clock: Clock): Readonly<Record<ExecutorKind, WatchHealth>> {
  return {
    Executor: new WatchHealth(EXECUTOR_PLURALS.Executor, clock),
    NamespacedExecutor: new WatchHealth(EXECUTOR_PLURALS.NamespacedExecutor, clock),
  };
}

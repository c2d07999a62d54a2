import { type Executor, type ExecutorKind, type PodIdentity } from '@executor-status/api';
import { KeyTimers, WorkQueue } from '@executor-status/controller';
import { executorResource, type KubeClient, type WatchHealth, watchResource } from '@executor-status/kube';
import type { Log, Metrics } from '@executor-status/process';
import { BuildRounds } from './build-rounds.ts';
import type { Config } from './config.ts';
import { ExecutorSets, watchedExecutor } from './executor-sets.ts';
import type { OutcomeSource } from './outcome-source.ts';
import type { OwnReports } from './own-reports.ts';
import { reconcileReport } from './reconcile-report.ts';
import { Vanishings } from './vanishings.ts';
import { WatchedFiles } from './watched-files.ts';
import { ReportWriter } from './write-report.ts';
import type { WriterChain } from './writer.ts';

/** What the parts of a writer are made of: every way out of the process, and the settings. */
export interface ChainPorts {
  readonly client: KubeClient;
  readonly source: OutcomeSource;
  readonly config: Pick<
    Config,
    | 'executorGroup'
    | 'resyncMs'
    | 'filePollMs'
    | 'recheckMs'
    | 'retryBaseMs'
    | 'retryMaxMs'
    | 'retrySlowAfterMs'
    | 'retrySlowMs'
    | 'buildPatienceMs'
    | 'buildConcurrency'
  >;
  readonly writerVersion: string;
  readonly watches: Readonly<Record<ExecutorKind, WatchHealth>>;
  readonly today: () => Date;
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
}

/** Joins the parts of the writer of `pod`; nothing runs yet. */
export function newChain(ports: ChainPorts, pod: PodIdentity, own: OwnReports): WriterChain {
  const { config, random } = ports;
  const sets = new ExecutorSets();
  const files = new WatchedFiles();
  const buildTimers = new KeyTimers();
  const reportTimers = new KeyTimers();
  const rounds = newRounds(ports, { sets, files, timers: buildTimers });
  return {
    watch: (kind) => watchExecutors(ports, kind),
    sets,
    rounds,
    buildTimers,
    files,
    own,
    report: reconcileReport({
      ...ports,
      pod,
      own,
      writer: new ReportWriter({ ...ports, pod, undeclaredMs: config.resyncMs }),
      vanishings: new Vanishings(),
      alarms: reportTimers,
      isGone: (ref) => sets.isGone(ref),
      verdict: (ref) => rounds.verdict(ref),
      clock: ports.client.clock,
    }),
    reportTimers,
    resyncMs: config.resyncMs,
    filePollMs: config.filePollMs,
    concurrency: config.buildConcurrency,
    buildQueue: new WorkQueue(),
    reportQueue: new WorkQueue(),
    random,
    now: () => ports.client.clock.now(),
  };
}

interface RoundParts {
  readonly sets: ExecutorSets;
  readonly files: WatchedFiles;
  readonly timers: KeyTimers;
}

function newRounds(ports: ChainPorts, parts: RoundParts): BuildRounds {
  const { client, config, signal } = ports;
  return new BuildRounds({
    ...ports,
    ...parts,
    read: ({ kind, ...ref }) =>
      client.get<Executor>(executorResource(kind, config.executorGroup), ref, { signal }),
    times: config,
    concurrency: config.buildConcurrency,
    patienceMs: config.buildPatienceMs,
    clock: client.clock,
  });
}

/** All metadata of a kind of executor, and nothing else of it: the specs are read one by one when they have changed. */
function watchExecutors({ client, config, watches, random, log, metrics }: ChainPorts, kind: ExecutorKind) {
  return watchResource(client, executorResource(kind, config.executorGroup), {
    metadataOnly: true,
    emptyIfMissing: true,
    project: watchedExecutor,
    health: watches[kind],
    random,
    log,
    metrics,
  });
}

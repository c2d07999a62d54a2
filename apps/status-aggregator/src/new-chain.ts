import { aggregatorFieldManager, STATUS_GROUP } from '@executor-status/api';
import { KeyTimers, WorkQueue } from '@executor-status/controller';
import { EventRecorder, type KubeClient, type LeaderElection } from '@executor-status/kube';
import type { Log, Metrics } from '@executor-status/process';
import { Subject } from 'rxjs';
import type { AggregatorChain } from './aggregator.ts';
import { Blocking } from './blocking.ts';
import type { Config } from './config.ts';
import { inTurn } from './in-turn.ts';
import { Mismatches } from './mismatches.ts';
import { newWatches, type Watches } from './new-watches.ts';
import type { SpacingSettings } from './plan-spacing.ts';
import { retryTimesOf } from './retry-settings.ts';
import { schemaChanges } from './schema-changes.ts';
import { Sightings } from './sightings.ts';
import { StatusKeeper } from './status-keeper.ts';
import { settingsOf } from './status-settings.ts';
import { World } from './world.ts';
import { WriteBudget } from './write-budget.ts';
import { StatusWriter } from './write-status.ts';
import { WriteTrouble } from './write-trouble.ts';

/** What the parts of an aggregator are made of: every way out of the process, and the settings. */
export interface ChainPorts {
  readonly client: KubeClient;
  readonly election: LeaderElection;
  readonly config: Config;
  /** The wall clock. */
  readonly today: () => Date;
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Ends calls that are open. */
  readonly signal: AbortSignal;
}

/** The parts of an aggregator, all but the leadership. */
export type Chain = Omit<AggregatorChain, 'leadership'> &
  Pick<Watches, 'health'> &
  Pick<WriteTrouble, 'stuck'>;

/** Joins the parts of an aggregator; nothing runs yet. */
export function newChain(ports: ChainPorts): Chain {
  const { client, config, random, log, metrics } = ports;
  const namespaces = [
    ...new Set(config.podNamespaces.length > 0 ? config.podNamespaces : [config.namespace]),
  ];
  const asked = new Subject<string>();
  const trouble = new WriteTrouble({ limitMs: config.stuckAfterMs, now: () => client.clock.now() });
  const kept = {
    trouble,
    writer: newWriter(ports, trouble),
    world: new World(namespaces),
    sightings: new Sightings(),
    mismatches: new Mismatches({ log, metrics }),
    timers: new KeyTimers(),
    ask: (key: string) => asked.next(key),
  };
  return {
    ...newWatches(ports, namespaces),
    ...kept,
    asked,
    stuck: trouble.stuck,
    keeper: newKeeper(ports, kept),
    schemaChanges: schemaChanges({
      ...ports,
      ...config,
      pollMs: config.crdPollMs,
      wanted: () => kept.writer.hasDropped,
    }),
    resyncMs: config.resyncMs,
    concurrency: config.concurrency,
    queue: new WorkQueue(),
    now: () => client.clock.now(),
    random,
  };
}

interface Kept {
  readonly trouble: WriteTrouble;
  readonly writer: StatusWriter;
  readonly world: World;
  readonly sightings: Sightings;
  readonly mismatches: Mismatches;
  readonly timers: KeyTimers;
  readonly ask: (key: string) => void;
}

function newWriter(ports: ChainPorts, trouble: WriteTrouble): StatusWriter {
  const { config, election } = ports;
  return new StatusWriter({
    ...ports,
    trouble,
    fieldManager: aggregatorFieldManager(config.namespace),
    isLeader: () => election.isLeader(),
    leaseLeftMs: () => election.leaseLeftMs(),
    callTimeoutMs: config.callTimeoutMs,
    executorGroup: config.executorGroup,
  });
}

function newKeeper(ports: ChainPorts, kept: Kept): StatusKeeper {
  const { client, config, election, today } = ports;
  const budget = { perSecond: config.writesPerSecond, burst: config.writeBurst };
  return new StatusKeeper({
    ...ports,
    ...kept,
    recorder: newRecorder(ports),
    blocking: new Blocking(kept.world),
    budget: new WriteBudget(budget, client.clock.now()),
    isLeader: () => election.isLeader(),
    fieldManager: aggregatorFieldManager(config.namespace),
    settings: settingsOf(config),
    spacing: spacingOf(config),
    retryTimes: retryTimesOf(config),
    turn: inTurn(),
    lookMs: config.lookMs,
    maxLookMs: config.maxLookMs,
    now: () => client.clock.now(),
    today,
  });
}

function newRecorder({ client, config, random, log }: ChainPorts): EventRecorder {
  // Whoever may read the Event may not know pods: not the one that tells it either.
  const instance = config.hidePodNames ? 'status-aggregator' : config.podName;
  const reporter = { controller: `${STATUS_GROUP}/status-aggregator`, instance };
  return new EventRecorder({ client, reporter, random, log, seriesMs: config.eventSeriesMs });
}

/** What of the settings decides when a status is written. */
export function spacingOf(config: Config): SpacingSettings {
  return {
    transitionMs: config.transitionMs,
    largeTransitionMs: config.largeTransitionMs,
    largeBytes: config.largeBytes,
    progressMs: config.progressMs,
    maxProgressMs: config.maxProgressMs,
    quietMs: config.quietMs,
    repairMs: config.repairMs,
    contendedMs: config.contendedMs,
  };
}

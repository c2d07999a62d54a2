import type { Executor, ExecutorPodStatus, ExecutorRef, ExecutorStatus } from '@executor-status/api';
import { KubeError } from '@executor-status/kube';
import { Blocking } from '../../apps/status-aggregator/src/blocking.ts';
import { executorKey, refOf } from '../../apps/status-aggregator/src/executor-key.ts';
import type { KeeperParts } from '../../apps/status-aggregator/src/keeper-parts.ts';
import { Mismatches } from '../../apps/status-aggregator/src/mismatches.ts';
import { DEFAULT_SPACING } from '../../apps/status-aggregator/src/plan-spacing.ts';
import { type KubePod, projectPod } from '../../apps/status-aggregator/src/pod.ts';
import { DEFAULT_RETRY_TIMES } from '../../apps/status-aggregator/src/retry-settings.ts';
import { Sightings } from '../../apps/status-aggregator/src/sightings.ts';
import { StatusKeeper } from '../../apps/status-aggregator/src/status-keeper.ts';
import {
  DEFAULT_STATUS_SETTINGS,
  type StatusSettings,
} from '../../apps/status-aggregator/src/status-settings.ts';
import { World } from '../../apps/status-aggregator/src/world.ts';
import { WriteBudget } from '../../apps/status-aggregator/src/write-budget.ts';
import { WriteTrouble } from '../../apps/status-aggregator/src/write-trouble.ts';
import { silentLog } from './silent-log.ts';
import { silentMetrics } from './silent-metrics.ts';
import { SimulatedAlarms } from './simulated-alarms.ts';
import { type SimulatedEvent, SimulatedEvents } from './simulated-events.ts';
import { SimulatedServer } from './simulated-server.ts';
import { simulatedWriter } from './simulated-writer.ts';

type SimulationSettings = StatusSettings & Pick<KeeperParts, 'lookMs'>;

const NAMESPACE = 'ratify';
const START = Date.parse('2026-08-06T09:50:00Z');

/**
 * The deciding half of an aggregator, all but its watches, in simulated time, against an API server in memory. Times are seconds
 * since the start; days pass in no time.
 */
export class AggregatorSimulation {
  readonly server: SimulatedServer;
  readonly fieldManager: string;
  leads = true;
  readonly trouble = new WriteTrouble({ limitMs: 60_000, now: () => this.#nowMs });
  /** How often the keeper was asked for a look. */
  asks = 0;
  readonly #events = new SimulatedEvents(() => this.#nowMs);
  readonly #world = new World([NAMESPACE]);
  readonly #sightings = new Sightings();
  readonly #alarms = new SimulatedAlarms(() => this.#nowMs);
  readonly #asked: string[] = [];
  readonly #keeper: StatusKeeper;
  #nowMs = 0;

  /** @param beside - another installation, whose API server this one shares. */
  constructor(settings: Partial<SimulationSettings> = {}, beside?: AggregatorSimulation) {
    this.server = beside?.server ?? new SimulatedServer(() => this.nowS);
    this.fieldManager = `status-aggregator/${beside === undefined ? NAMESPACE : 'elsewhere'}`;
    this.#keeper = this.#newKeeper({ lookMs: 50, ...DEFAULT_STATUS_SETTINGS, ...settings });
    // Everything has been listed, and there was nothing.
    this.#world.reportsIn(NAMESPACE).apply({ kind: 'synced', objects: [] });
    this.#world.podsIn(NAMESPACE).apply({ kind: 'synced', objects: [] });
  }

  get nowS(): number {
    return this.#nowMs / 1000;
  }

  /** Every write of an Event. */
  get events(): readonly SimulatedEvent[] {
    return this.#events.writes;
  }

  status(ref: ExecutorRef): ExecutorStatus {
    return this.server.get(executorKey(ref))?.status ?? { succeeded: false };
  }

  /** An executor is made, or changed by somebody else; its watch tells at once. */
  async putExecutor(executor: Executor): Promise<void> {
    await this.hear(refOf(this.server.store(executor)));
  }

  /** Somebody changes a stored executor; the watch tells at once. */
  async change(ref: ExecutorRef, change: (executor: Executor) => Executor): Promise<void> {
    const stored = this.server.get(executorKey(ref));
    if (stored !== undefined) await this.putExecutor(change(stored));
  }

  /** The watch tells what is stored. */
  async hear(ref: ExecutorRef): Promise<void> {
    const stored = this.server.get(executorKey(ref));
    if (stored === undefined) return;
    this.#world.executors[stored.kind].apply({ kind: 'applied', object: stored });
    await this.#hear([executorKey(ref)]);
  }

  /** The spec is edited, and the watch does not tell. */
  edit(ref: ExecutorRef): void {
    const stored = this.server.get(executorKey(ref));
    if (stored === undefined) return;
    const { generation = 0 } = stored.metadata;
    this.server.store({ ...stored, metadata: { ...stored.metadata, generation: generation + 1 } });
  }

  async putReport(report: ExecutorPodStatus): Promise<void> {
    const object = this.server.versioned(report);
    const changes = this.#world.reportsIn(NAMESPACE).apply({ kind: 'applied', object });
    const news = changes.filter((change) => !this.#keeper.canWait(change));
    if (news.length > 0) await this.#hear([executorKey(report.spec.executorRef)]);
  }

  async putPod(raw: KubePod): Promise<void> {
    const object = this.server.versioned(projectPod(raw, ''));
    this.#world.podsIn(NAMESPACE).apply({ kind: 'applied', object });
    this.#sightings.see(object, this.#nowMs);
    await this.#hear(this.#world.allKeys());
  }

  async removePod(raw: KubePod): Promise<void> {
    this.#world.podsIn(NAMESPACE).apply({ kind: 'deleted', object: projectPod(raw, '') });
    await this.#hear(this.#world.allKeys());
  }

  /** Lets time pass up to `untilS`; alarms go off when they are due. */
  async passUntil(untilS: number): Promise<void> {
    const due = () => this.#alarms.take(untilS * 1000);
    for (let next = due(); next !== undefined; next = due()) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      await this.#look([next.key]);
    }
    this.#nowMs = Math.max(this.#nowMs, untilS * 1000);
  }

  /** The safety net: everything is compared with the server. */
  async resync(): Promise<void> {
    this.#keeper.doubtAll();
    await this.#look(this.#world.allKeys());
  }

  /** News from a watch. */
  async #hear(keys: Iterable<string>): Promise<void> {
    await this.#look([...keys].filter((key) => !this.#keeper.isAboutToLook(key)));
  }

  async #look(keys: readonly string[]): Promise<void> {
    this.asks += keys.length;
    for (const key of keys) {
      // A failed write comes back by its alarm, as in the aggregator.
      await this.#keeper.reconcile(key).catch((error: unknown) => {
        if (!(error instanceof KubeError)) throw error;
      });
    }
    await this.#events.recorder.idle();
    const asked = new Set(this.#asked.splice(0));
    if (asked.size > 0) await this.#look([...asked]);
  }

  #newKeeper(settings: SimulationSettings): StatusKeeper {
    const ports = {
      log: silentLog,
      metrics: silentMetrics,
      fieldManager: this.fieldManager,
      isLeader: () => this.leads,
      now: () => this.#nowMs,
      trouble: this.trouble,
    };
    return new StatusKeeper({
      ...ports,
      recorder: this.#events.recorder,
      world: this.#world,
      sightings: this.#sightings,
      blocking: new Blocking(this.#world),
      mismatches: new Mismatches(ports),
      writer: simulatedWriter({ ...ports, client: this.server.client }),
      budget: new WriteBudget({ perSecond: 10, burst: 100 }, 0),
      timers: this.#alarms,
      ask: (key) => void this.#asked.push(key),
      settings,
      spacing: DEFAULT_SPACING,
      retryTimes: DEFAULT_RETRY_TIMES,
      turn: () => Promise.resolve(),
      lookMs: settings.lookMs,
      maxLookMs: 800,
      today: () => new Date(START + this.#nowMs),
      random: () => 0.5,
    });
  }
}

import {
  type Executor,
  type ExecutorPodStatus,
  newExecutorPodStatus,
  type PodIdentity,
  type ReportStatus,
} from '@executor-status/api';
import { KeyTimers } from '@executor-status/controller';
import { type Environment, sharedEnvironment } from '@executor-status/executor';
import { createMetrics } from '@executor-status/process';
import type { VirtualTimeScheduler } from 'rxjs';
import { BuildRounds } from '../src/build-rounds.ts';
import type { BuildTimes } from '../src/build-schedule.ts';
import { executorRef, refOfKey } from '../src/executor-key.ts';
import { ExecutorSets, watchedExecutor } from '../src/executor-sets.ts';
import { planReport } from '../src/plan-report.ts';
import { podOutcomes } from '../src/pod-outcomes.ts';
import { WatchedFiles } from '../src/watched-files.ts';

/** The writer's defaults. */
const TIMES: BuildTimes = {
  retryBaseMs: 1000,
  retryMaxMs: 300_000,
  retrySlowAfterMs: 600_000,
  retrySlowMs: 900_000,
  recheckMs: 3_600_000,
};

interface PodParts {
  readonly name: string;
  readonly random: () => number;
  readonly time: VirtualTimeScheduler;
  readonly today: () => Date;
  readonly environment: Environment;
}

/** One pod of a simulation. */
export class SimulatedPod {
  readonly identity: PodIdentity;
  /** Every write of a report, in order. */
  readonly writes: { readonly executor: string; readonly status: ReportStatus }[] = [];
  readonly #parts: PodParts;
  readonly #executors = new Map<string, Executor>();
  readonly #reports = new Map<string, ExecutorPodStatus>();
  readonly #sets = new ExecutorSets();
  readonly #rounds: BuildRounds;
  readonly #metrics = createMetrics();
  #awake = false;

  constructor(parts: PodParts) {
    this.#parts = parts;
    this.identity = { namespace: 'ratify', name: parts.name, uid: `uid-of-${parts.name}` };
    const timers = new KeyTimers(parts.time);
    this.#rounds = new BuildRounds({
      ...parts,
      sets: this.#sets,
      files: new WatchedFiles(async () => ({ mark: '' })),
      timers,
      read: async ({ name }) => this.#executors.get(name),
      source: podOutcomes((signal) => sharedEnvironment({ ...parts.environment, now: parts.today, signal })),
      times: TIMES,
      concurrency: 4,
      patienceMs: 5000,
      clock: { now: () => parts.time.frame, wallMs: () => 0, sleep: () => new Promise(() => {}) },
      metrics: this.#metrics,
      signal: new AbortController().signal,
    });
    this.#rounds.verdicts.subscribe((key) => this.#report(key));
    this.#rounds.wakes.subscribe(() => {
      this.#awake = true;
    });
    timers.due.subscribe((key) => this.#rounds.ask(key));
    this.#sets.apply('Executor', { kind: 'synced', objects: [] });
  }

  see(executor: Executor): void {
    this.#executors.set(executor.metadata.name, executor);
    this.#sets.apply('Executor', { kind: 'applied', object: watchedExecutor(executor) });
    this.#awake = true;
  }

  /** Rounds until nothing more is due. */
  async work(): Promise<void> {
    while (this.#awake) {
      this.#awake = false;
      await this.#rounds.run('');
    }
  }

  /** What this pod says of an executor. */
  status(name: string): ReportStatus | undefined {
    return this.#reports.get(name)?.status;
  }

  /** All metrics, as they are scraped. */
  figures(): Promise<string> {
    return this.#metrics.render();
  }

  /** How many builds there were. */
  async builds(): Promise<number> {
    const counts = (await this.figures()).matchAll(/^executor_builds_total\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  #report(key: string): void {
    const { name } = refOfKey(key);
    const executor = this.#executors.get(name);
    if (executor === undefined) throw new Error(`a verdict about ${name}, which nobody made`);
    const ref = executorRef(executor.metadata);
    const stored = this.#reports.get(name);
    const plan = planReport({
      pod: this.identity,
      executor: ref,
      gone: false,
      verdict: this.#rounds.verdict(ref),
      last: stored?.status,
      stored,
      now: this.#parts.today(),
      writerVersion: '0.1.0',
      undeclared: new Set(),
    });
    if (plan.kind !== 'write') return;
    this.#reports.set(name, { ...newExecutorPodStatus(this.identity, ref), status: plan.status });
    this.writes.push({ executor: name, status: plan.status });
  }
}

import type { Executor, ExecutorPodStatus, ExecutorStatus } from '@executor-status/api';
import type { ExecutorMemory } from '../../apps/status-aggregator/src/executor-memory.ts';
import { type Plan, planStatus, rememberWrite } from '../../apps/status-aggregator/src/plan-status.ts';
import { type KubePod, projectPod } from '../../apps/status-aggregator/src/pod.ts';
import { Sightings } from '../../apps/status-aggregator/src/sightings.ts';
import {
  DEFAULT_STATUS_SETTINGS,
  type StatusSettings,
} from '../../apps/status-aggregator/src/status-settings.ts';
import { executor } from './builders.ts';

/** Wall-clock time at second 0 of every story. */
export const STORY_START = Date.parse('2026-08-06T09:50:00Z');

/** What there is to see at one moment; what is left out stays as it was. */
export interface Scene {
  readonly pods?: readonly KubePod[];
  readonly reports?: readonly ExecutorPodStatus[];
  /** Undefined for "nobody". */
  readonly blockedBy?: string | undefined;
}

/**
 * One executor through time, as one aggregator sees it: each look plans, and a plan to write is written at once. Times are
 * seconds since the start of the story.
 */
export class StatusStory {
  readonly settings: StatusSettings;
  executor: Executor;
  memory: ExecutorMemory | undefined;
  /** Plans are made but not carried out, as for a follower or while a write has to wait. */
  paused = false;
  readonly writes: { readonly atS: number; readonly status: ExecutorStatus; readonly urgency: string }[] = [];
  #sightings = new Sightings();
  #scene: Required<Scene> = { pods: [], reports: [], blockedBy: undefined };

  constructor(options: { readonly executor?: Executor; readonly settings?: Partial<StatusSettings> } = {}) {
    this.executor = options.executor ?? executor();
    this.settings = { ...DEFAULT_STATUS_SETTINGS, ...options.settings };
  }

  get status(): ExecutorStatus {
    return this.executor.status ?? { succeeded: false };
  }

  /** Looks once, and writes if the plan says so. */
  look(atS: number, scene: Scene = {}): Plan {
    this.#scene = { ...this.#scene, ...scene };
    const nowMs = atS * 1000;
    const pods = this.#scene.pods.map((raw) => projectPod(raw, ''));
    for (const pod of pods) this.#sightings.see(pod, nowMs);
    const plan = planStatus({
      executor: this.executor,
      live: false,
      reports: this.#scene.reports,
      pods: pods.map((pod) => this.#sightings.of(pod, nowMs)),
      ...(this.#scene.blockedBy !== undefined && { blockedBy: this.#scene.blockedBy }),
      ...(this.memory && { memory: this.memory }),
      dropped: [],
      fieldManager: 'status-aggregator/ratify',
      settings: this.settings,
      nowMs,
      now: new Date(STORY_START + nowMs),
    });
    if ('memory' in plan) this.memory = plan.memory;
    if (plan.kind === 'write' && !this.paused) this.#write(plan, atS);
    return plan;
  }

  /** Somebody edits the spec. */
  edit(): void {
    const { metadata } = this.executor;
    this.executor = {
      ...this.executor,
      metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
    };
    this.#touch();
  }

  /** Another manager changes the status. */
  overwrite(fields: Partial<ExecutorStatus>): void {
    this.executor = { ...this.executor, status: { ...this.status, ...fields } };
    this.#touch();
  }

  /** Another process takes over without any memory. */
  restart(): void {
    this.memory = undefined;
    this.#sightings = new Sightings();
  }

  #write(plan: Extract<Plan, { kind: 'write' }>, atS: number): void {
    // Fields that others added stay.
    this.executor = { ...this.executor, status: { ...this.executor.status, ...plan.status } };
    this.#touch();
    this.memory = rememberWrite(plan, this.executor);
    this.writes.push({ atS, status: plan.status, urgency: plan.urgency });
  }

  #touch(): void {
    const { metadata } = this.executor;
    const resourceVersion = String(Number(metadata.resourceVersion) + 1);
    this.executor = { ...this.executor, metadata: { ...metadata, resourceVersion } };
  }
}

/** A status in one line of a table: the verdict, Ready and the other conditions that hold. */
export function gist(status: ExecutorStatus) {
  const conditions = (status.conditions ?? []).map((condition) => ({
    ...condition,
    text: `${condition.type}=${condition.status}/${condition.reason}`,
  }));
  const ready = conditions.find(({ type }) => type === 'Ready');
  return {
    succeeded: status.succeeded,
    error: status.error ?? '',
    generation: status.observedGeneration ?? 0,
    ready: ready === undefined ? 'absent' : `${ready.status}/${ready.reason}`,
    others: conditions.filter(({ type }) => type !== 'Ready').map(({ text }) => text),
  };
}

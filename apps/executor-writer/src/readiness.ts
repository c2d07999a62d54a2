import type { ExecutorRef, ReportStatus } from '@executor-status/api';
import type { Settings } from '@executor-status/process';
import type { Verdict } from './report-status.ts';

/** The probe path for a readiness probe of the sidecar. Asks nobody: what it says was found out before. */
export const BUILDS_PROBE = '/builds';

/** Whether Ratify's pod is ready also depends on its executors. */
export const READINESS_SETTINGS = {
  readinessPolicy: {
    type: 'string',
    enum: ['Always', 'FailIfNeverBuilt', 'Strict'],
    default: 'Always',
    description:
      'What /builds says: always 200; 503 while the Executors have never all been built in this pod; 503 while one does not build.',
  },
  readinessPatience: {
    type: 'string',
    format: 'duration',
    default: '30s',
    'x-max': '10m',
    description:
      'How long after a start /builds waits for first verdicts; from then on the unknown counts as ready.',
  },
} as const satisfies Settings;

export type ReadinessPolicy = (typeof READINESS_SETTINGS)['readinessPolicy']['enum'][number];

/** What is known of the builds in this pod. */
export interface BuildsView {
  /** All Executors; NamespacedExecutors never count. `undefined` before the first complete list. */
  readonly executors: () => readonly ExecutorRef[] | undefined;
  readonly verdict: (ref: ExecutorRef) => Verdict | undefined;
  /** What this pod said last, also before a restart of the sidecar. */
  readonly last: (ref: ExecutorRef) => ReportStatus | undefined;
}

/** When the readiness began, and what it goes by. */
export interface ReadinessRules {
  readonly policy: ReadinessPolicy;
  readonly patienceMs: number;
  /** Milliseconds; never steps back. */
  readonly now: () => number;
}

/**
 * Whether this pod should get requests, going by its builds of the cluster-wide Executors as a whole, as Ratify loads them.
 * What is not known counts against the pod only for a while, so that no outage of the API server takes Ratify away.
 */
export class Readiness {
  readonly #rules: ReadinessRules;
  readonly #startedAt: number;
  #view: BuildsView | undefined;
  #built = false;

  constructor(rules: ReadinessRules) {
    this.#rules = rules;
    this.#startedAt = rules.now();
  }

  /**
   * From now on there is something to look at.
   *
   * @param reported - of which executors this pod had reports when its sidecar began; one that says it was built is taken
   *   for all, since only a whole set was ever of use to Ratify.
   */
  watch(view: BuildsView, reported: readonly ExecutorRef[]): void {
    this.#view = view;
    this.#built = reported.some(
      (ref) => ref.kind === 'Executor' && view.last(ref)?.lastSucceededGeneration !== undefined,
    );
  }

  /** Looks at the builds now; to be called after each, since a set that was built once has been built. */
  note(): void {
    const states = this.#states();
    if (states?.every(({ succeeded }) => succeeded === true) === true) this.#built = true;
  }

  /** Why this pod should get no requests, or `undefined`. */
  failure(): string | undefined {
    const { policy } = this.#rules;
    if (policy === 'Always') return undefined;
    this.note();
    if (policy === 'FailIfNeverBuilt' && this.#built) return undefined;
    const states = this.#states();
    const failing = states?.find(({ succeeded }) => succeeded === false);
    if (failing !== undefined) return `Executor ${failing.name} does not build in this pod`;
    const unknown = states === undefined ? 'the Executors are not known yet' : unbuilt(states);
    return this.#patient ? unknown : undefined;
  }

  get #patient(): boolean {
    return this.#rules.now() - this.#startedAt < this.#rules.patienceMs;
  }

  #states(): readonly BuildState[] | undefined {
    const view = this.#view;
    return view?.executors()?.map((ref) => ({
      name: ref.name,
      succeeded: view.verdict(ref)?.outcome.succeeded ?? view.last(ref)?.succeeded,
    }));
  }
}

interface BuildState {
  readonly name: string;
  /** `undefined` before the first build. */
  readonly succeeded: boolean | undefined;
}

function unbuilt(states: readonly BuildState[]): string | undefined {
  const first = states.find(({ succeeded }) => succeeded === undefined);
  return first && `Executor ${first.name} is not built yet in this pod`;
}

import { type Executor, type ExecutorStatus, REPORT_PLURAL } from '@executor-status/api';
import { ReportWorld } from '../../soak/report-world.ts';
import type { AuditEntry, ControlPlane } from '../control-plane.ts';
import { gist } from '../status-story.ts';
import { ExecutorLives } from './executor-lives.ts';
import { type Background, type Cast, earlyClaims, foreignWrites, writesWithoutLease } from './invariants.ts';
import { KeptAggregators } from './kept-aggregators.ts';

/** How long before the API server dies a write may have reached it that it still stores, in milliseconds. */
const IN_FLIGHT_MS = 2_000;
/** How long what was stored without a line in the audit log may be the ground of a status: its writer writes it again. */
const UNLOGGED_MS = 60_000;

/** Writers and two aggregators as processes, behind a fault proxy, on a control plane that may be killed; and all that must hold of them. */
export class ChaosWorld implements AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly reports: ReportWorld;
  readonly aggregators: KeptAggregators;
  readonly #lives = new ExecutorLives();
  readonly #unlogged: { readonly report: string; readonly atMs: number }[] = [];

  private constructor(parts: Pick<ChaosWorld, 'controlPlane' | 'reports' | 'aggregators'>) {
    this.controlPlane = parts.controlPlane;
    this.reports = parts.reports;
    this.aggregators = parts.aggregators;
  }

  /** Starts everything. @param flags - of the aggregators. */
  static async open(
    controlPlane: ControlPlane,
    { writers, flags }: { readonly writers: number; readonly flags: readonly string[] },
  ): Promise<ChaosWorld> {
    const reports = await ReportWorld.open(controlPlane, { writers, flags: ['--call-timeout=5s'] });
    const aggregators = await KeptAggregators.start(reports.fleet, flags);
    return new ChaosWorld({ controlPlane, reports, aggregators });
  }

  /** Makes an executor, or changes its spec; it builds in every pod or in none. */
  async apply(name: string, good: boolean): Promise<void> {
    const sinceMs = Date.now();
    await this.reports.apply(name, good);
    this.#lives.begin(name, this.reports.expected.get(name)?.uid ?? '', sinceMs);
  }

  /** Ends the API server as a crash would, and notes which reports it may have stored in its last moment. */
  async killApiServer(): Promise<void> {
    const fromMs = performance.now() - IN_FLIGHT_MS;
    await this.controlPlane.apiServer.kill();
    const writes = { verb: 'patch', resource: REPORT_PLURAL, subresource: 'status' };
    for (const { request, atMs } of this.reports.proxy.seen(writes)) {
      if (atMs >= fromMs) this.#unlogged.push({ report: request.name, atMs: performance.timeOrigin + atMs });
    }
  }

  /** Gives every process another token: a long run outlives the first ones. */
  async rotateTokens(): Promise<void> {
    for (const pod of this.reports.writers.pods) await this.reports.writers.rotateToken(pod);
    await this.aggregators.rotateTokens();
  }

  /** What is not right now: reports and statuses must tell what the model says. */
  async wrong(): Promise<readonly string[]> {
    const { expected, writers, fleet } = this.reports;
    const found = await Promise.all(
      expected.executors.map(async ({ name, good, generation }) => {
        const path = fleet.path(this.reports.ref(name));
        const { status } = await this.controlPlane.admin.call<Executor>(`GET ${path}`);
        const isBlocked = expected.executors.some((other) => other.name !== name && !other.good);
        const pods = writers.pods.length;
        const want = `${good} of ${generation}, ${readyOf(good, isBlocked)}, ${good ? pods : 0}/${pods}`;
        const is = textOf(status);
        return is === want ? [] : [`${name} is ${is}, not ${want}`];
      }),
    );
    return [...found.flat(), ...(await this.reports.wrong())];
  }

  /** What must never have been, in all that was written so far. */
  async broken(): Promise<readonly string[]> {
    const entries = await this.entries();
    return [
      ...foreignWrites(entries, this.cast),
      ...writesWithoutLease(entries, this.cast),
      ...earlyClaims(entries, this.cast, this.#background),
      ...(await this.reports.broken()),
      ...this.aggregators.crashes,
    ];
  }

  /** Everything that the apps have asked of the API server. */
  entries(): Promise<readonly AuditEntry[]> {
    const { writer, aggregator } = this.cast;
    return this.controlPlane.audit.entries({ user: [writer, aggregator] });
  }

  get cast(): Cast {
    const account = `system:serviceaccount:${this.reports.fleet.namespace}`;
    const { pods } = this.reports.writers;
    return { writer: `${account}:ratify`, aggregator: `${account}:status-aggregator`, pods };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.aggregators[Symbol.asyncDispose]();
    await this.reports[Symbol.asyncDispose]();
  }

  get #background(): Background {
    return {
      uidAt: ({ name }, atMs) => this.#lives.uidAt(name, atMs),
      mayBeUnlogged: (report, atMs) =>
        this.#unlogged.some(
          (one) => one.report === report && one.atMs <= atMs && atMs - one.atMs < UNLOGGED_MS,
        ),
    };
  }
}

/** Status and reason of Ready in the end. */
function readyOf(good: boolean, isBlocked: boolean): string {
  if (!good) return 'False/PodsFailed';
  return isBlocked ? 'False/BlockedBySibling' : 'True/BuildsInAllPods';
}

function textOf(status: ExecutorStatus | undefined): string {
  if (status === undefined) return 'without a status';
  const { succeeded, observedGeneration, builds } = status;
  return `${succeeded} of ${observedGeneration}, ${gist(status).ready}, ${builds}`;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExecutorRef, REPORT_PLURAL, STATUS_GROUP, STATUS_VERSION } from '@executor-status/api';
import { refOf } from '../integration/executor-manifest.ts';
import { WriterFleet } from '../integration/writer-fleet.ts';
import { metric } from '../integration/writer-probes.ts';
import type { ControlPlane, Pod } from '../support/control-plane.ts';
import { type FaultProxy, proxyFor } from '../support/fault-proxy.ts';
import { type StoredReport, wrongReports, wrongWrites } from './check-reports.ts';
import { ExpectedReports } from './expected-reports.ts';

/** How a world of reports begins. */
export interface ReportWorldOptions {
  readonly writers: number;
  /** How the writers are started, beyond what all tests give them. */
  readonly flags: readonly string[];
}

/** Writers as processes that reach a real API server through a fault proxy, the executors that they report on, and a model of both. */
export class ReportWorld implements AsyncDisposable {
  readonly proxy: FaultProxy;
  readonly fleet: WriterFleet;
  readonly expected = new ExpectedReports();
  readonly pods: Pod[] = [];
  readonly #options: ReportWorldOptions;
  readonly #folders: { readonly good: string; readonly bad: string };
  #edits = 0;

  private constructor(
    parts: Pick<ReportWorld, 'proxy' | 'fleet'>,
    options: ReportWorldOptions,
    folders: Folders,
  ) {
    this.proxy = parts.proxy;
    this.fleet = parts.fleet;
    this.#options = options;
    this.#folders = folders;
  }

  /** Starts everything. Pods have the same names in each run, so that a seed means the same faults. */
  static async open(behind: ControlPlane, options: ReportWorldOptions): Promise<ReportWorld> {
    const { proxy, controlPlane } = await proxyFor(behind);
    const fleet = await WriterFleet.install(controlPlane);
    const folders = { good: await fleet.folder(), bad: await fleet.folder() };
    await writeFile(join(folders.bad, 'broken.crt'), 'no certificate');
    const world = new ReportWorld({ proxy, fleet }, options, folders);
    for (let at = 0; at < options.writers; at++) {
      world.pods.push(await fleet.makePod({ name: `ratify-${at}` }));
    }
    await Promise.all(world.pods.map((pod) => world.startWriter(pod)));
    return world;
  }

  ref(name: string): ExecutorRef {
    return refOf(name, this.fleet.namespace);
  }

  async startWriter(pod: Pod): Promise<void> {
    await this.fleet.start(pod, { flags: this.#options.flags });
  }

  /** Makes an executor, or changes its spec; it builds in every pod or in none. */
  async apply(name: string, good: boolean): Promise<void> {
    this.#edits += 1;
    const { metadata } = await this.fleet.apply(this.ref(name), {
      scope: `${name}-${this.#edits}.example`,
      files: [good ? this.#folders.good : this.#folders.bad],
    });
    this.expected.applied({ name, good, uid: metadata.uid, generation: metadata.generation ?? 0 });
  }

  async remove(name: string): Promise<void> {
    await this.fleet.remove(this.ref(name));
    this.expected.removed(name);
  }

  /** What is wrong now; nothing when every report is right and none is left over. */
  async wrong(): Promise<readonly string[]> {
    const path = `/apis/${STATUS_GROUP}/${STATUS_VERSION}/namespaces/${this.fleet.namespace}/${REPORT_PLURAL}`;
    const { items } = await this.fleet.controlPlane.admin.call<{ items: StoredReport[] }>(`GET ${path}`);
    // Executors of other namespaces are nobody's concern here.
    const own = items.filter(({ spec }) => spec.executorRef.namespace === this.fleet.namespace);
    return wrongReports(own, { pods: this.pods, expected: this.expected });
  }

  /** What must never have been: a verdict that is wrong, more than one watch of one resource, an error that nobody handled. */
  async broken(): Promise<readonly string[]> {
    const writes = await this.fleet.writes({ subresource: 'status', code: 200 });
    const about = writes.filter(({ name }) => this.#isAboutOurs(name));
    const watches = Object.entries(this.proxy.stats().mostWatches).filter(([, most]) => most > 1);
    const unhandled = await Promise.all(this.pods.map((pod) => this.#unhandled(pod)));
    return [
      ...wrongWrites(about, this.expected),
      ...watches.map(([key, most]) => `${most} watches at one time: ${key}`),
      ...unhandled.flat(),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }

  #isAboutOurs(report: string): boolean {
    return report.includes(`-${this.fleet.namespace.replaceAll('-', '--')}-`);
  }

  async #unhandled(pod: Pod): Promise<readonly string[]> {
    const count = await metric(this.fleet.writer(pod), 'executor_status_unhandled_errors_total');
    return count === 0 ? [] : [`${pod.name} met ${count} errors that nobody handled`];
  }
}

interface Folders {
  readonly good: string;
  readonly bad: string;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExecutorRef, REPORT_PLURAL, STATUS_GROUP, STATUS_VERSION } from '@executor-status/api';
import { refOf } from '../integration/executor-manifest.ts';
import { WriterFleet } from '../integration/writer-fleet.ts';
import type { AuditMark, ControlPlane } from '../support/control-plane.ts';
import { type FaultProxy, proxyFor } from '../support/fault-proxy.ts';
import { type StoredReport, wrongReports } from './check-reports.ts';
import { ExpectedReports } from './expected-reports.ts';
import { WriteLedger } from './write-ledger.ts';
import { WriterProcesses } from './writer-processes.ts';

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
  readonly writers: WriterProcesses;
  readonly expected = new ExpectedReports();
  readonly #ledger = new WriteLedger(this.expected);
  readonly #folders: Folders;
  #checked: AuditMark | undefined;
  #edits = 0;

  private constructor(parts: Pick<ReportWorld, 'proxy' | 'fleet' | 'writers'>, folders: Folders) {
    this.proxy = parts.proxy;
    this.fleet = parts.fleet;
    this.writers = parts.writers;
    this.#folders = folders;
  }

  /** Starts everything. */
  static async open(
    behind: ControlPlane,
    { writers: count, flags }: ReportWorldOptions,
  ): Promise<ReportWorld> {
    const { proxy, controlPlane } = await proxyFor(behind);
    const fleet = await WriterFleet.install(controlPlane);
    const folders = { good: await fleet.folder(), bad: await fleet.folder() };
    await writeFile(join(folders.bad, 'broken.crt'), 'no certificate');
    const writers = new WriterProcesses(fleet, flags);
    await writers.begin(count);
    return new ReportWorld({ proxy, fleet, writers }, folders);
  }

  ref(name: string): ExecutorRef {
    return refOf(name, this.fleet.namespace);
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

  /** Shows a certificate of another authority to all, and lets them trust it. */
  async rotateAuthority(): Promise<void> {
    this.proxy.rotate();
    this.proxy.resetAll();
    await this.writers.trust(this.proxy.ca);
  }

  /** What is wrong now; nothing when every report is right and none is left over. */
  async wrong(): Promise<readonly string[]> {
    const { namespace, controlPlane } = this.fleet;
    const path = `/apis/${STATUS_GROUP}/${STATUS_VERSION}/namespaces/${namespace}/${REPORT_PLURAL}`;
    const { items } = await controlPlane.admin.call<{ items: StoredReport[] }>(`GET ${path}`);
    // Executors of other namespaces are nobody's concern here.
    const own = items.filter(({ spec }) => spec.executorRef.namespace === namespace);
    return wrongReports(own, { pods: this.writers.pods, expected: this.expected });
  }

  /**
   * What must never have been, since the last time: a verdict that is wrong or late, more than one watch of one resource,
   * an end that nobody asked for, an error that nobody handled.
   */
  async broken(): Promise<readonly string[]> {
    const since = this.#checked === undefined ? {} : { since: this.#checked };
    const writes = await this.fleet.writes({ subresource: 'status', code: 200, ...since });
    this.#checked = await this.fleet.controlPlane.audit.mark();
    return [
      ...this.#ledger.check(writes.filter(({ name }) => this.#isAboutOurs(name))),
      ...this.proxy.stats().overlaps.map((overlap) => `watches at one time: ${overlap}`),
      ...this.writers.crashes,
      ...(await this.writers.unhandled()),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }

  #isAboutOurs(report: string): boolean {
    return report.includes(`-${this.fleet.namespace.replaceAll('-', '--')}-`);
  }
}

interface Folders {
  readonly good: string;
  readonly bad: string;
}

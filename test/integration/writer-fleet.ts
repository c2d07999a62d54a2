import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  EXECUTOR_GROUP,
  type ExecutorPodStatus,
  type ExecutorRef,
  REPORT_PLURAL,
  reportName,
  STATUS_GROUP,
  STATUS_VERSION,
} from '@executor-status/api';
import { type AppProcess, startApp } from '../support/app-process.ts';
import type {
  ApiObject,
  AuditEntry,
  AuditFilter,
  ControlPlane,
  Pod,
  PodRequest,
} from '../support/control-plane.ts';
import { installManifests } from '../support/install-manifests.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ExecutorFields, executorManifest, executorPath } from './executor-manifest.ts';
import { metric } from './writer-probes.ts';
import { WRITER_TEST_FLAGS } from './writer-test-flags.ts';

/** Ratify pods in a namespace of their own with the shipped rights, their writers as processes, and executors. */
export class WriterFleet implements AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly group: string;
  readonly #processes = new Map<string, AppProcess>();
  readonly #executors = new Map<string, ExecutorRef>();

  private constructor(controlPlane: ControlPlane, namespace: string, group: string) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    this.group = group;
  }

  /** A new namespace with the shipped rights. */
  static async install(controlPlane: ControlPlane, group = EXECUTOR_GROUP): Promise<WriterFleet> {
    const fleet = await WriterFleet.withoutRights(controlPlane, group);
    await fleet.giveRights();
    return fleet;
  }

  static async withoutRights(controlPlane: ControlPlane, group = EXECUTOR_GROUP): Promise<WriterFleet> {
    return new WriterFleet(controlPlane, await controlPlane.createNamespace('writers'), group);
  }

  giveRights(): Promise<void> {
    return installManifests(this.controlPlane, { namespace: this.namespace, group: this.group });
  }

  makePod(request: Partial<PodRequest> = {}): Promise<Pod> {
    return this.controlPlane.makePod({ namespace: this.namespace, ...request });
  }

  /** Makes `count` pods and starts their writers. */
  async startPods(count: number, flags: readonly string[] = []): Promise<readonly Pod[]> {
    const pods = await Promise.all(Array.from({ length: count }, () => this.makePod()));
    await Promise.all(pods.map((pod) => this.start(pod, { flags })));
    return pods;
  }

  /** Starts the writer of a pod with the pod's bound token; a later start for the same pod takes its place. */
  async start(pod: Pod, { flags = [], env = {}, token }: WriterStart = {}): Promise<AppProcess> {
    await this.#processes.get(pod.uid)?.stop();
    const directory = await this.controlPlane.inClusterDirectory(
      token ?? (await this.controlPlane.podToken(pod)),
    );
    const writer = await startApp({
      entry: 'apps/executor-writer/src/main.ts',
      args: [...WRITER_TEST_FLAGS, '--credentials-dir', directory, '--executor-group', this.group, ...flags],
      env: { ...this.controlPlane.podEnv(pod), ...env },
    });
    this.#processes.set(pod.uid, writer);
    return writer;
  }

  writer(pod: Pod): AppProcess {
    const writer = this.#processes.get(pod.uid);
    if (writer === undefined) throw new Error(`no writer was started for ${pod.name}`);
    return writer;
  }

  /** A new, empty folder of certificates. */
  folder(): Promise<string> {
    return mkdtemp(join(this.controlPlane.directory, 'certs-'));
  }

  /** Makes an executor, or changes the given one. */
  async apply(ref: ExecutorRef, fields: ExecutorFields = {}): Promise<ApiObject> {
    this.#executors.set(this.path(ref), ref);
    const [stored] = await this.controlPlane.apply([executorManifest(ref, this.group, fields)]);
    if (stored === undefined) throw new Error(`nothing was applied for ${ref.name}`);
    return stored;
  }

  path(ref: ExecutorRef): string {
    return executorPath(ref, this.group);
  }

  async remove(ref: ExecutorRef): Promise<void> {
    await this.controlPlane.admin.request(`DELETE ${this.path(ref)}`);
  }

  reportPath(pod: Pod, ref: ExecutorRef): string {
    const reports = `/apis/${STATUS_GROUP}/${STATUS_VERSION}/namespaces/${this.namespace}/${REPORT_PLURAL}`;
    return `${reports}/${reportName(pod.name, ref)}`;
  }

  async report(pod: Pod, ref: ExecutorRef): Promise<Report | undefined> {
    const { code, body } = await this.controlPlane.admin.request<Report>(`GET ${this.reportPath(pod, ref)}`);
    return code === 200 ? body : undefined;
  }

  /** Waits until the report of the pod is as wanted; by default, until it has a status. */
  async reported(
    pod: Pod,
    ref: ExecutorRef,
    wanted: (report: Report) => boolean = ({ status }) => status !== undefined,
  ): Promise<Report> {
    return await waitUntil(
      async () => {
        const report = await this.report(pod, ref);
        return report !== undefined && wanted(report) ? report : undefined;
      },
      { what: `the report of ${pod.name} about ${ref.name}`, deadlineMs: 30_000 },
    ).catch(async (error: unknown) => {
      const lines = this.#processes.get(pod.uid)?.output().slice(-15).join('\n') ?? '';
      throw new Error(
        `${String(error)}; it is ${JSON.stringify(await this.report(pod, ref))}; log:\n${lines}`,
      );
    });
  }

  /** Waits until there is no report. */
  async unreported(pod: Pod, ref: ExecutorRef): Promise<void> {
    await waitUntil(async () => (await this.report(pod, ref)) === undefined, {
      what: `the end of the report of ${pod.name} about ${ref.name}`,
    });
  }

  /** Writes to reports of this namespace by writers, as the audit log has them. */
  writes(filter: AuditFilter = {}): Promise<readonly AuditEntry[]> {
    return this.controlPlane.audit.entries({
      resource: REPORT_PLURAL,
      namespace: this.namespace,
      verb: ['create', 'update', 'patch', 'delete', 'deletecollection'],
      user: `system:serviceaccount:${this.namespace}:ratify`,
      ...filter,
    });
  }

  /** How many builds the writer of a pod has made, of all executors. */
  builds(pod: Pod): Promise<number> {
    return metric(this.writer(pod), 'executor_builds_total');
  }

  async stopWriters(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((writer) => writer.stop()));
    this.#processes.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopWriters();
    await Promise.all([...this.#executors.values()].map((ref) => this.remove(ref)));
  }
}

/** What is different about a start. */
export interface WriterStart {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** By default one that is bound to the pod. */
  readonly token?: string;
}

export type Report = ApiObject & ExecutorPodStatus;

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EXECUTOR_GROUP,
  EXECUTOR_PLURALS,
  EXECUTOR_VERSION,
  type ExecutorPodStatus,
  type ExecutorRef,
  REPORT_PLURAL,
  reportName,
  STATUS_GROUP,
  STATUS_VERSION,
} from '@executor-status/api';
import { type AppProcess, startApp } from '../support/app-process.ts';
import type { ApiObject, AuditEntry, AuditFilter, ControlPlane, Pod, PodRequest } from '../support/control-plane.ts';
import { installManifests } from '../support/install-manifests.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What a test changes about an executor that is right otherwise. */
export interface ExecutorFields {
  /** Makes it a NamespacedExecutor. */
  readonly namespace?: string;
  readonly scope?: string;
  /** Folders of certificates; a new, empty one by default. */
  readonly files?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Ratify pods in a namespace of their own with the shipped rights, their writers as processes, and executors. */
export class WriterFleet implements AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly group: string;
  readonly #processes = new Map<string, AppProcess>();
  readonly #executors: ExecutorRef[] = [];
  readonly #folders: string[] = [];

  private constructor(controlPlane: ControlPlane, namespace: string, group: string) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    this.group = group;
  }

  static async install(controlPlane: ControlPlane, group = EXECUTOR_GROUP): Promise<WriterFleet> {
    const namespace = await controlPlane.createNamespace('writers');
    await installManifests(controlPlane, { namespace, group });
    return new WriterFleet(controlPlane, namespace, group);
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
  async start(
    pod: Pod,
    { flags = [], env = {}, token }: { flags?: readonly string[]; env?: Readonly<Record<string, string>>; token?: string } = {},
  ): Promise<AppProcess> {
    await this.#processes.get(pod.uid)?.stop();
    const directory = await this.controlPlane.inClusterDirectory(token ?? (await this.controlPlane.podToken(pod)));
    const writer = await startApp({
      entry: 'apps/executor-writer/src/main.ts',
      args: [...TEST_FLAGS, '--credentials-dir', directory, '--executor-group', this.group, ...flags],
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

  /** A new folder of certificates, with the given files. */
  async folder(files: Readonly<Record<string, string>> = {}): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'writer-test-'));
    this.#folders.push(folder);
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    return folder;
  }

  /** Makes an executor, or changes the given one. */
  async apply(name: string, fields: ExecutorFields = {}): Promise<ApiObject> {
    const ref = refOf(name, fields.namespace);
    if (!this.#executors.some((known) => known.name === name && known.namespace === ref.namespace)) this.#executors.push(ref);
    const { metadata, spec } = { metadata: {}, spec: specOf(fields, name), ...fields };
    const [stored] = await this.controlPlane.apply([
      {
        apiVersion: `${this.group}/${EXECUTOR_VERSION}`,
        kind: ref.kind,
        metadata: { name, ...(ref.namespace !== undefined && { namespace: ref.namespace }), ...metadata },
        spec,
      } as never,
    ]);
    if (stored === undefined) throw new Error(`nothing was applied for ${name}`);
    return stored;
  }

  path(ref: ExecutorRef): string {
    const scope = ref.namespace === undefined ? '' : `/namespaces/${ref.namespace}`;
    return `/apis/${this.group}/${EXECUTOR_VERSION}${scope}/${EXECUTOR_PLURALS[ref.kind]}/${ref.name}`;
  }

  async remove(ref: ExecutorRef): Promise<void> {
    await this.controlPlane.admin.request(`DELETE ${this.path(ref)}`);
  }

  reportPath(pod: Pod, ref: ExecutorRef): string {
    return `${this.reportsPath}/${reportName(pod.name, ref)}`;
  }

  get reportsPath(): string {
    return `/apis/${STATUS_GROUP}/${STATUS_VERSION}/namespaces/${this.namespace}/${REPORT_PLURAL}`;
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
      throw new Error(`${String(error)}; it is ${JSON.stringify(await this.report(pod, ref))}; log:\n${lines}`);
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
  async builds(pod: Pod): Promise<number> {
    const metrics = await this.metrics(pod);
    return [...metrics.matchAll(/^executor_builds_total\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
  }

  async metrics(pod: Pod): Promise<string> {
    return (await this.probe(pod, '/metrics')).text();
  }

  async probe(pod: Pod, path: string): Promise<Response> {
    const { port } = await this.writer(pod).waitForLog(({ port }) => typeof port === 'number');
    return fetch(`http://127.0.0.1:${port}${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#processes.values()].map((writer) => writer.stop()));
    await Promise.all(this.#executors.map((ref) => this.remove(ref)));
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

export type Report = ApiObject & ExecutorPodStatus;

/** Names an executor; with a namespace, a NamespacedExecutor. */
export function refOf(name: string, namespace?: string): ExecutorRef {
  return namespace === undefined ? { kind: 'Executor', name } : { kind: 'NamespacedExecutor', namespace, name };
}

/** No waits that only a large cluster needs. */
const TEST_FLAGS = [
  '--probe-host=127.0.0.1',
  '--probe-port=0',
  '--start-jitter=0s',
  '--park-retry=200ms',
  '--file-poll=100ms',
];

function specOf({ scope, files = ['/nonexistent'] }: ExecutorFields, name: string) {
  return {
    scopes: [scope ?? `${name}.example`],
    verifiers: [
      {
        name: 'notation-1',
        type: 'notation',
        parameters: { certificates: [{ type: 'ca', files }], trustedIdentities: ['*'] },
      },
    ],
    stores: [{ type: 'registry-store', parameters: { credential: { provider: 'static' } } }],
    policyEnforcer: { type: 'threshold-policy', parameters: { policy: { rules: [{ verifierName: 'notation-1' }] } } },
  };
}

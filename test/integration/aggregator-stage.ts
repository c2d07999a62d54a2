import {
  EXECUTOR_GROUP,
  EXECUTOR_PLURALS,
  type Executor,
  type ExecutorPodStatus,
  type ExecutorRef,
  type ExecutorStatus,
} from '@executor-status/api';
import { type AppProcess, startApp } from '../support/app-process.ts';
import type { ReportFields } from '../support/builders.ts';
import type {
  ApiObject,
  AuditEntry,
  AuditFilter,
  ControlPlane,
  Pod,
  PodRequest,
} from '../support/control-plane.ts';
import { installManifests } from '../support/install-manifests.ts';
import { gist } from '../support/status-story.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ExecutorFields, executorManifest, executorPath } from './executor-manifest.ts';
import { postReport } from './post-report.ts';
import { metric } from './writer-probes.ts';

/** An executor as the API server has it. */
export type StoredExecutor = ApiObject & Pick<Executor, 'status'>;

/**
 * A namespace with the shipped rights in which aggregators run as processes with bound tokens of their ServiceAccount, and pods
 * and reports are made by hand.
 */
export class AggregatorStage implements AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly group: string;
  readonly #processes: AppProcess[] = [];
  readonly #executors = new Map<string, ExecutorRef>();

  private constructor(controlPlane: ControlPlane, namespace: string, group: string) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    this.group = group;
  }

  /** @param podNamespaces - further ones in which pods run; they must exist. */
  static async install(
    controlPlane: ControlPlane,
    options: { readonly group?: string; readonly podNamespaces?: readonly string[] } = {},
  ): Promise<AggregatorStage> {
    const { group = EXECUTOR_GROUP, podNamespaces = [] } = options;
    const namespace = await controlPlane.createNamespace('aggregators');
    await installManifests(controlPlane, { namespace, group, podNamespaces });
    return new AggregatorStage(controlPlane, namespace, group);
  }

  /** The user that an aggregator is to the API server. */
  get user(): string {
    return `system:serviceaccount:${this.namespace}:status-aggregator`;
  }

  makePod(request: Partial<PodRequest> = {}): Promise<Pod> {
    return this.controlPlane.makePod({ namespace: this.namespace, ...request });
  }

  makePods(...names: readonly string[]): Promise<Pod[]> {
    return Promise.all(names.map((name) => this.makePod({ name })));
  }

  /** Starts an aggregator in a pod of its own, with the token that is bound to it. */
  start(...flags: readonly string[]): Promise<AppProcess> {
    return this.startWith({}, ...flags);
  }

  /** The environment in which Node runs `script` before an app. */
  importing(script: string): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
  }

  /** Starts an aggregator with further variables of its environment. */
  async startWith(env: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<AppProcess> {
    const pod = await this.makePod({
      name: `status-aggregator-${this.#processes.length}`,
      labels: { app: 'status-aggregator' },
      serviceAccount: 'status-aggregator',
      initContainers: [],
    });
    const aggregator = await startApp({
      entry: 'apps/status-aggregator/src/main.ts',
      args: [
        ...TEST_FLAGS,
        `--credentials-dir=${await this.controlPlane.inClusterDirectory(await this.controlPlane.podToken(pod))}`,
        `--executor-group=${this.group}`,
        ...flags,
      ],
      env: { ...this.controlPlane.podEnv(pod), ...env },
    });
    this.#processes.push(aggregator);
    return aggregator;
  }

  /** Makes an executor, or changes its spec. */
  async apply(ref: ExecutorRef, fields: ExecutorFields = {}): Promise<StoredExecutor> {
    this.#executors.set(this.path(ref), ref);
    const [stored] = await this.controlPlane.apply([executorManifest(ref, this.group, fields)]);
    if (stored === undefined) throw new Error(`nothing was applied for ${ref.name}`);
    return this.executor(ref);
  }

  path(ref: ExecutorRef): string {
    return executorPath(ref, this.group);
  }

  async remove(ref: ExecutorRef): Promise<void> {
    await this.controlPlane.admin.request(`DELETE ${this.path(ref)}`);
  }

  async executor(ref: ExecutorRef): Promise<StoredExecutor> {
    return this.controlPlane.admin.call<StoredExecutor>(`GET ${this.path(ref)}`);
  }

  /** Makes the report of `pod` about `ref`, or changes its status: by default a success of the newest generation. */
  async report(pod: Pod, ref: ExecutorRef, fields: ReportFields = {}): Promise<ExecutorPodStatus> {
    const { uid, generation = 0 } = (await this.executor(ref)).metadata;
    const said = { executorRef: ref, executorUID: uid, executorGeneration: generation, ...fields };
    return postReport(this.controlPlane.admin, pod, said);
  }

  /** Waits until the status is as wanted, and returns it. */
  async shows(
    ref: ExecutorRef,
    wanted: (status: ExecutorStatus) => boolean,
    deadlineMs = 20_000,
  ): Promise<ExecutorStatus> {
    const seen = async () => {
      const { status } = await this.executor(ref);
      return status !== undefined && wanted(status) ? status : undefined;
    };
    return await waitUntil(seen, { what: `the status of ${ref.name}`, deadlineMs }).catch(
      async (error: unknown) => {
        const lines = this.#processes.map((one) => one.output().slice(-10).join('\n')).join('\n--\n');
        throw new Error(
          `${String(error)}; it is ${JSON.stringify((await this.executor(ref)).status)}; logs:\n${lines}`,
        );
      },
    );
  }

  /** Waits until Ready has this status and reason: `True/BuildsInAllPods`. */
  ready(ref: ExecutorRef, ready: string, deadlineMs?: number): Promise<ExecutorStatus> {
    return this.shows(ref, (status) => gist(status).ready === ready, deadlineMs);
  }

  /** The sum of a metric over all aggregators that run. */
  async metric(name: string): Promise<number> {
    const values = await Promise.all(this.#processes.map((one) => metric(one, name)));
    return values.reduce((sum, value) => sum + value, 0);
  }

  /** What aggregators of this namespace wrote to statuses of executors. */
  writes(filter: AuditFilter = {}): Promise<readonly AuditEntry[]> {
    const verb = ['create', 'update', 'patch', 'delete'];
    return this.controlPlane.audit.entries({
      verb,
      user: this.user,
      resource: Object.values(EXECUTOR_PLURALS),
      ...filter,
    });
  }

  /** Stops what runs and forgets it. */
  async stopAll(): Promise<void> {
    await Promise.all(this.#processes.map((one) => one.stop()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopAll();
    await Promise.all([...this.#executors.values()].map((ref) => this.remove(ref)));
  }
}

const TEST_FLAGS = [
  '--probe-host=127.0.0.1',
  '--probe-port=0',
  '--pod-selector=app=ratify',
  '--log-level=debug',
];

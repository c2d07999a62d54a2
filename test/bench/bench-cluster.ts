import { EXECUTOR_GROUP, EXECUTOR_PLURALS, type ExecutorStatus } from '@executor-status/api';
import { executorManifest, executorPath, refOf } from '../integration/executor-manifest.ts';
import { type AppProcess, startApp } from '../support/app-process.ts';
import {
  type ApiObject,
  type AuditEntry,
  type AuditFilter,
  type ControlPlane,
  type Pod,
  startControlPlane,
} from '../support/control-plane.ts';
import { installManifests } from '../support/install-manifests.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';
import type { Program } from './bench-bundles.ts';
import { Load } from './load.ts';
import type { Target } from './load-job.ts';

export const NAMESPACE = 'ratify';
export const POD_LABELS = { app: 'ratify' };
export const AGGREGATOR_USER = `system:serviceaccount:${NAMESPACE}:status-aggregator`;
export const WRITER_USER = `system:serviceaccount:${NAMESPACE}:ratify`;

/** An aggregator that runs, and the pod that it takes itself for. */
export interface Aggregator {
  readonly pod: Pod;
  readonly app: AppProcess;
}

/**
 * A control plane of etcd and kube-apiserver only (other controllers would take processor time from the measured), with the shipped
 * rights, a load generator, and aggregators.
 */
export class BenchCluster implements AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly load: Load;
  readonly #aggregators: Aggregator[] = [];

  private constructor(controlPlane: ControlPlane) {
    this.controlPlane = controlPlane;
    this.load = new Load(controlPlane.kubeconfig);
  }

  static async start(): Promise<BenchCluster> {
    const controlPlane = await startControlPlane({ manifests: PROJECT_CRDS, controllers: [] });
    const metadata = { name: NAMESPACE };
    await controlPlane.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata }]);
    await controlPlane.admin.call(`POST /api/v1/namespaces/${NAMESPACE}/serviceaccounts`, {
      metadata: { name: 'ratify' },
    });
    await installManifests(controlPlane, { namespace: NAMESPACE });
    return new BenchCluster(controlPlane);
  }

  /** Makes executors, or changes their specs, side by side. */
  async applyExecutors(names: readonly string[], { scope, files }: Spec = {}): Promise<Target[]> {
    const manifests = names.map((name) =>
      executorManifest(refOf(name), EXECUTOR_GROUP, {
        ...(scope !== undefined && { scope: `${name}.${scope}` }),
        ...(files !== undefined && { files }),
      }),
    );
    const stored = await Promise.all(manifests.map((manifest) => this.controlPlane.apply([manifest])));
    return stored.flat().map(({ metadata: { name, uid, generation = 0 } }) => ({ name, uid, generation }));
  }

  async makePods(count: number): Promise<void> {
    const pods = { namespace: NAMESPACE, count, labels: POD_LABELS, serviceAccount: 'ratify' };
    await this.load.run({ kind: 'pods', ...pods });
  }

  /** Starts an aggregator in a pod of its own, with the token that is bound to it. */
  async startAggregator(
    { nodeFlags, entry, env }: Program,
    ...flags: readonly string[]
  ): Promise<Aggregator> {
    const { controlPlane } = this;
    const pod = await controlPlane.makePod({
      namespace: NAMESPACE,
      name: `status-aggregator-${this.#aggregators.length}`,
      labels: { app: 'status-aggregator' },
      serviceAccount: 'status-aggregator',
      initContainers: [],
    });
    const credentials = await controlPlane.inClusterDirectory(await controlPlane.podToken(pod, 7200));
    const app = await startApp({
      nodeFlags,
      entry,
      args: ['--probe-port=0', '--pod-selector=app=ratify', `--credentials-dir=${credentials}`, ...flags],
      env: { ...controlPlane.podEnv(pod), ...env },
    });
    const aggregator = { pod, app };
    this.#aggregators.push(aggregator);
    return aggregator;
  }

  executor(name: string): Promise<ApiObject & { readonly status?: ExecutorStatus }> {
    return this.controlPlane.admin.call(`GET ${executorPath(refOf(name), EXECUTOR_GROUP)}`);
  }

  /** Writes of statuses of executors by aggregators. */
  statusWrites(filter: AuditFilter = {}): Promise<readonly AuditEntry[]> {
    const resource = Object.values(EXECUTOR_PLURALS);
    return this.aggregatorWrites({ resource, subresource: 'status', ...filter });
  }

  /** Everything that aggregators have written, or tried to. */
  aggregatorWrites(filter: AuditFilter = {}): Promise<readonly AuditEntry[]> {
    return this.controlPlane.audit.entries({ user: AGGREGATOR_USER, verb: WRITES, ...filter });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.load[Symbol.dispose]();
    await Promise.all(this.#aggregators.map(({ app }) => app.stop()));
    await this.controlPlane.stop();
  }
}

/** What is edited of executors. */
export interface Spec {
  /** Each gets one of its own below it. */
  readonly scope?: string;
  readonly files?: readonly string[];
}

export const WRITES: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

import { EXECUTOR_GROUP, type ExecutorRef } from '@executor-status/api';
import type { KubeObject } from '@executor-status/controller';
import {
  createKubeClient,
  inClusterCredentials,
  type KubeClient,
  type KubeClientOptions,
  type WatchOptions,
} from '@executor-status/kube';
import type { ApiObject, ControlPlane } from '../support/control-plane.ts';
import { type FaultProxy, type FaultProxyOptions, proxyFor } from '../support/fault-proxy.ts';
import { type ExecutorFields, executorManifest, executorPath, refOf } from './executor-manifest.ts';
import { Follower, type World, worldOf } from './robust-follower.ts';

/** A namespace, a fault proxy, and clients of the product that reach the real API server through it. */
export class RobustStage implements AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly proxy: FaultProxy;
  readonly namespace: string;
  /** Where the clients' `token` and `ca.crt` are. */
  readonly directory: string;
  readonly #open: (() => unknown)[] = [];

  private constructor(parts: Pick<RobustStage, 'controlPlane' | 'proxy' | 'namespace' | 'directory'>) {
    this.controlPlane = parts.controlPlane;
    this.proxy = parts.proxy;
    this.namespace = parts.namespace;
    this.directory = parts.directory;
  }

  static async open(behind: ControlPlane, options: FaultProxyOptions = {}): Promise<RobustStage> {
    const namespace = await behind.createNamespace('robust');
    const { proxy, controlPlane } = await proxyFor(behind, options);
    await controlPlane.apply([
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'clients', namespace },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
      } as never,
    ]);
    const token = await controlPlane.accountToken({ namespace, serviceAccount: 'default' });
    const directory = await controlPlane.inClusterDirectory(token);
    return new RobustStage({ controlPlane, proxy, namespace, directory });
  }

  /** A client that notices a dead connection and gives calls up soon. */
  client(options: Partial<KubeClientOptions> = {}): KubeClient {
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(this.proxy.port) };
    const client = createKubeClient({
      credentials: inClusterCredentials({ directory: this.directory, env }),
      userAgent: 'robust-test/1',
      callTimeoutMs: 5_000,
      pingIntervalMs: 300,
      qps: 1_000,
      burst: 1_000,
      ...options,
    });
    this.#open.push(() => client.close());
    return client;
  }

  /** Watches the executors of the namespace into a store. */
  follow(client: KubeClient = this.client(), options: Partial<WatchOptions<KubeObject>> = {}): Follower {
    const follower = new Follower(this, client, options);
    this.#open.push(() => follower.stop());
    return follower;
  }

  ref(name: string): ExecutorRef {
    return refOf(name, this.namespace);
  }

  /** Makes an executor, or changes the given one. */
  async apply(name: string, fields: ExecutorFields = {}): Promise<ApiObject> {
    const manifest = executorManifest(this.ref(name), EXECUTOR_GROUP, fields);
    const [stored] = await this.controlPlane.apply([manifest]);
    if (stored === undefined) throw new Error(`nothing was applied for ${name}`);
    return stored;
  }

  async remove(name: string): Promise<void> {
    await this.controlPlane.admin.call(`DELETE ${executorPath(this.ref(name), EXECUTOR_GROUP)}`);
  }

  /** What the API server has, by key: the version of each object and its uid. */
  async world(): Promise<World> {
    const path = executorPath(this.ref(''), EXECUTOR_GROUP).replace(/\/$/, '');
    const { items } = await this.controlPlane.admin.call<{ items: ApiObject[] }>(`GET ${path}`);
    return worldOf(items);
  }

  /** Ends everything that was opened, in the reverse order. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#open.toReversed()) await close();
    await this.proxy[Symbol.asyncDispose]();
  }
}

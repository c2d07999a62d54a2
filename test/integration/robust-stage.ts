import { EXECUTOR_GROUP, type ExecutorRef } from '@executor-status/api';
import {
  type Change,
  intoStore,
  type KubeObject,
  objectKey,
  Store,
  type WatchEvent,
} from '@executor-status/controller';
import {
  createKubeClient,
  executorResource,
  inClusterCredentials,
  type KubeClient,
  type KubeClientOptions,
  WatchHealth,
  type WatchOptions,
  watchResource,
} from '@executor-status/kube';
import { type Subscription, tap } from 'rxjs';
import type { ApiObject, ControlPlane } from '../support/control-plane.ts';
import { type FaultProxy, type FaultProxyOptions, proxyFor } from '../support/fault-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type ExecutorFields, executorManifest, executorPath, refOf } from './executor-manifest.ts';

/** The kind that clients watch here: namespaced, so that suites that share a cluster do not meet. */
const EXECUTORS = executorResource('NamespacedExecutor');

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

/** Objects by key, as `uid@resourceVersion`. */
export type World = Readonly<Record<string, string>>;

/** A store that a watch of the product fills, and everything that was said on the way. */
export class Follower {
  readonly store = new Store<KubeObject>();
  readonly health: WatchHealth;
  readonly changes: Change<KubeObject>[] = [];
  /** Every event of the watch, in order. */
  readonly events: WatchEvent<KubeObject>[] = [];
  readonly #stage: RobustStage;
  readonly #subscription: Subscription;

  constructor(stage: RobustStage, client: KubeClient, options: Partial<WatchOptions<KubeObject>>) {
    this.#stage = stage;
    this.health = new WatchHealth(EXECUTORS.plural, client.clock);
    const watch = watchResource(client, EXECUTORS, {
      namespace: stage.namespace,
      random: Math.random,
      health: this.health,
      // So that a hundred failures take seconds.
      backoff: { baseMs: 20, maxMs: 100, jitter: 0.2 },
      ...options,
    });
    this.#subscription = watch
      .pipe(
        tap((event) => this.events.push(event)),
        intoStore(this.store),
      )
      .subscribe((change) => this.changes.push(change));
  }

  /** How many complete lists there were. */
  get lists(): number {
    return this.events.filter(({ kind }) => kind === 'synced').length;
  }

  /** What the store has. */
  world(): World {
    return worldOf(this.store.values());
  }

  /** Waits for the first complete list. */
  async synced(): Promise<void> {
    await waitUntil(() => this.store.synced, { what: 'the first complete list' });
  }

  /** Waits until the store has what the API server has. */
  async equalsServer(): Promise<void> {
    const look = async () => {
      const [server, store] = [await this.#stage.world(), this.world()];
      return isSame(server, store) || Promise.reject(new Error(JSON.stringify({ server, store })));
    };
    await waitUntil(look, { what: 'the store to equal the API server', deadlineMs: 30_000 });
  }

  stop(): void {
    this.#subscription.unsubscribe();
  }
}

interface Versioned {
  readonly metadata: KubeObject['metadata'];
}

function worldOf(objects: Iterable<Versioned>): World {
  const entries = [...objects].map(({ metadata }) => [
    objectKey(metadata),
    `${metadata.uid}@${metadata.resourceVersion}`,
  ]);
  return Object.fromEntries(entries.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

const isSame = (a: World, b: World) => JSON.stringify(a) === JSON.stringify(b);

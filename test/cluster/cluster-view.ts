import type { ExecutorPodStatus } from '@executor-status/api';
import type { ControlPlane } from '../support/control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What the test looks at in a pod. */
export interface ClusterPod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly containers: readonly object[];
    readonly initContainers?: readonly { readonly name: string; readonly readinessProbe?: object }[];
    readonly volumes: readonly { readonly name: string }[];
  };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly initContainerStatuses?: readonly {
      readonly name: string;
      readonly restartCount: number;
      readonly containerID?: string;
      readonly state: { readonly running?: object };
    }[];
  };
}

/** The part of an executor's status that the test looks at. */
export interface ClusterExecutor {
  readonly metadata: { readonly uid: string; readonly generation: number };
  readonly spec: object;
  readonly status?: {
    readonly succeeded?: boolean;
    readonly error?: string;
    readonly builds?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
    }[];
    readonly podCounts?: Readonly<Record<string, number>>;
    readonly byPod?: readonly { readonly id: string; readonly podUID: string }[];
  };
}

interface List<T> {
  readonly items: readonly T[];
}

/** How long a busy machine may take to start or end a handful of pods, in milliseconds. */
export const SETTLED_MS = 180_000;

/** Looks at Ratify's pods, what they report and what is made of it, in one namespace. */
export class ClusterView {
  readonly #controlPlane: ControlPlane;
  readonly namespace: string;

  constructor(controlPlane: ControlPlane, namespace: string) {
    this.#controlPlane = controlPlane;
    this.namespace = namespace;
  }

  async pods(app = 'ratify-gatekeeper-provider'): Promise<readonly ClusterPod[]> {
    const { items } = await this.#controlPlane.admin.call<List<ClusterPod>>(
      `GET /api/v1/namespaces/${this.namespace}/pods`,
      undefined,
      { query: { labelSelector: `app.kubernetes.io/name=${app}` } },
    );
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** Waits until there are `count` pods, all of them ready and `wanted`. */
  async settled(
    count: number,
    wanted: (pod: ClusterPod) => boolean = () => true,
  ): Promise<readonly ClusterPod[]> {
    const look = async () => {
      const pods = await this.pods();
      return pods.length === count && pods.every((pod) => isReady(pod) && wanted(pod)) ? pods : undefined;
    };
    const what = `${count} ready pods of Ratify`;
    return await waitUntil(look, { what, deadlineMs: SETTLED_MS, everyMs: 500 }).catch(
      async (error: unknown) => {
        const { stdout } = await this.#controlPlane.kubectl('get', 'pods,events', '-A', '-o', 'wide');
        throw new Error(`${String(error)}\n${stdout.slice(-6000)}`, { cause: error });
      },
    );
  }

  async reports(): Promise<readonly (ExecutorPodStatus & { readonly metadata: { readonly uid: string } })[]> {
    const path = `/apis/status.ratify.sh/v1alpha1/namespaces/${this.namespace}/executorpodstatuses`;
    const { items } = await this.#controlPlane.admin.call<
      List<ExecutorPodStatus & { readonly metadata: { readonly uid: string } }>
    >(`GET ${path}`);
    return items;
  }

  async executor(name = 'default'): Promise<ClusterExecutor> {
    return await this.#controlPlane.admin.call<ClusterExecutor>(
      `GET /apis/config.ratify.sh/v2alpha1/executors/${name}`,
    );
  }

  /** Waits for a status. */
  async told(
    what: string,
    wanted: (executor: ClusterExecutor) => boolean,
    deadlineMs = SETTLED_MS,
  ): Promise<ClusterExecutor> {
    const look = async () => {
      const executor = await this.executor();
      return wanted(executor) ? executor : undefined;
    };
    return await waitUntil(look, { what, deadlineMs, everyMs: 250 }).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\n${JSON.stringify((await this.executor()).status)}`, {
        cause: error,
      });
    });
  }

  /** The names of the pods that get requests, as the Service's EndpointSlice has them. */
  async endpoints(): Promise<readonly string[]> {
    return (await this.slice()).ready;
  }

  /** The Service's EndpointSlice: the names of its pods, of those that get requests, and its version. */
  async slice(): Promise<{
    readonly all: readonly string[];
    readonly ready: readonly string[];
    readonly version: string;
  }> {
    const { items } = await this.#controlPlane.admin.call<List<EndpointSlice>>(
      `GET /apis/discovery.k8s.io/v1/namespaces/${this.namespace}/endpointslices`,
      undefined,
      { query: { labelSelector: 'kubernetes.io/service-name=ratify' } },
    );
    const all = items.flatMap(({ endpoints }) => endpoints ?? []);
    const names = (some: typeof all) => some.map(({ targetRef }) => targetRef.name).toSorted();
    return {
      all: names(all),
      ready: names(all.filter(({ conditions }) => conditions.ready)),
      version: items.map(({ metadata }) => metadata.resourceVersion).join(' '),
    };
  }

  /** Who leads the aggregators. */
  async leader(): Promise<string | undefined> {
    const { body } = await this.#controlPlane.admin.request<{ spec?: { holderIdentity?: string } }>(
      `GET /apis/coordination.k8s.io/v1/namespaces/${this.namespace}/leases/status-aggregator`,
    );
    return body.spec?.holderIdentity;
  }
}

interface EndpointSlice {
  readonly metadata: { readonly resourceVersion: string };
  readonly endpoints?: readonly {
    readonly conditions: { readonly ready?: boolean };
    readonly targetRef: { readonly name: string };
  }[];
}

export const isReady = ({ status }: ClusterPod): boolean =>
  status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

export const sidecarOf = ({ spec }: ClusterPod) =>
  spec.initContainers?.find(({ name }) => name === 'executor-writer');

export const sidecarStatus = ({ status }: ClusterPod) =>
  status.initContainerStatuses?.find(({ name }) => name === 'executor-writer');

export const conditionOf = ({ status }: ClusterExecutor, type: string) =>
  status?.conditions?.find((condition) => condition.type === type);

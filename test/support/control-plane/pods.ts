import { randomUUID } from 'node:crypto';
import type { ApiClient } from './api-client.ts';

/** A pod that exists as an object; nothing runs in it. */
export interface Pod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly nodeName: string;
  readonly serviceAccount: string;
}

/** What a pod shall be; a Ratify pod with our sidecar by default. */
export interface PodRequest {
  readonly namespace: string;
  /** A new one by default. */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** `ratify` by default; made if it does not exist. */
  readonly serviceAccount?: string;
  readonly containers?: readonly Readonly<Record<string, unknown>>[];
  /** By default `executor-writer`, a native sidecar. */
  readonly initContainers?: readonly Readonly<Record<string, unknown>>[];
  /** `node-1` by default; need not exist. `null` leaves the pod unscheduled. */
  readonly nodeName?: string | null;
  /** By default all containers run and the pod is ready; `null` leaves it without a status of a kubelet. */
  readonly status?: Readonly<Record<string, unknown>> | null;
}

const IMAGE = 'registry.invalid/none:1';

/** Makes a pod and, as a kubelet would, its status. */
export async function makePod(client: ApiClient, request: PodRequest): Promise<Pod> {
  const { namespace, name, labels, serviceAccount, nodeName, containers, initContainers, status } = {
    ...defaultPod(),
    ...request,
  };
  await ensureServiceAccount(client, namespace, serviceAccount);
  const node = nodeName === null ? {} : { nodeName };
  const { metadata } = await client.call(`POST /api/v1/namespaces/${namespace}/pods`, {
    metadata: { name, labels },
    spec: { serviceAccountName: serviceAccount, containers, initContainers, ...node },
  });
  const pod = { name, namespace, uid: metadata.uid, nodeName: nodeName ?? '', serviceAccount };
  const kubelet = nodeName === null ? null : runningStatus({ containers, initContainers });
  const first = status === undefined ? kubelet : status;
  if (first !== null) await setPodStatus(client, pod, first);
  return pod;
}

const defaultPod = () => ({
  name: `ratify-${randomUUID().slice(0, 8)}`,
  labels: { app: 'ratify' },
  serviceAccount: 'ratify',
  nodeName: 'node-1',
  containers: [{ name: 'ratify', image: IMAGE }],
  initContainers: [{ name: 'executor-writer', image: IMAGE, restartPolicy: 'Always' }],
  status: undefined,
});

/** Changes the given fields of a pod's status; lists are replaced as a whole. */
export async function setPodStatus(
  client: ApiClient,
  { namespace, name }: Pick<Pod, 'namespace' | 'name'>,
  status: Readonly<Record<string, unknown>>,
): Promise<void> {
  await client.call(`PATCH /api/v1/namespaces/${namespace}/pods/${name}/status`, { status });
}

/** Makes a ServiceAccount unless it exists. */
export async function ensureServiceAccount(
  client: ApiClient,
  namespace: string,
  name: string,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  if ((await client.request(`GET ${path}/${name}`)).code === 200) return;
  const { code, body } = await client.request(`POST ${path}`, { metadata: { name } });
  // 409: the controller manager or another call was first.
  if (code >= 400 && code !== 409)
    throw new Error(`cannot make ServiceAccount ${namespace}/${name}: ${JSON.stringify(body)}`);
}

/** What the kubelet says of a pod whose containers all run; times are fixed and past. */
export function runningStatus({
  containers,
  initContainers,
}: Required<Pick<PodRequest, 'containers' | 'initContainers'>>) {
  const startedAt = '2026-01-01T00:00:00Z';
  const running = (container: Readonly<Record<string, unknown>>) => ({
    name: container['name'],
    image: IMAGE,
    imageID: '',
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt } },
  });
  const sidecars = initContainers.filter((container) => container['restartPolicy'] === 'Always');
  return {
    phase: 'Running',
    startTime: startedAt,
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: startedAt,
    })),
    containerStatuses: containers.map(running),
    initContainerStatuses: sidecars.map(running),
  };
}

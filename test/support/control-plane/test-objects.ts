import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiObject } from './api-client.ts';
import { applyManifests, type Manifest } from './apply-manifests.ts';
import { accountToken, podToken } from './credentials.ts';
import { ensureServiceAccount, makePod, type Pod, type PodRequest, setPodStatus } from './pods.ts';

/** Makes and changes what tests need, as administrator. */
export interface TestObjects {
  /** Applies objects, or those in a YAML file; waits until new kinds are served. */
  readonly apply: (source: string | readonly Manifest[]) => Promise<ApiObject[]>;
  /** Makes a namespace of a new name that begins with `prefix` (`test`), and returns the name. */
  readonly createNamespace: (prefix?: string, labels?: Readonly<Record<string, string>>) => Promise<string>;
  readonly makePod: (request: PodRequest) => Promise<Pod>;
  /** Changes the given fields of a pod's status; lists are replaced as a whole. */
  readonly setPodStatus: (
    pod: Pick<Pod, 'namespace' | 'name'>,
    status: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
  /** Deletes a pod at once: there is no kubelet that would finish a graceful end. */
  readonly removePod: (pod: Pick<Pod, 'namespace' | 'name'>) => Promise<void>;
  /** A token bound to the pod; 3,600 seconds by default, at least 600. */
  readonly podToken: (pod: Pod, seconds?: number) => Promise<string>;
  /** A token bound to no pod. */
  readonly accountToken: (
    account: Pick<Pod, 'namespace' | 'serviceAccount'>,
    seconds?: number,
  ) => Promise<string>;
  /** The environment that a pod's process finds: where the API server is, and who the pod is. */
  readonly podEnv: (pod: Pod) => Readonly<Record<string, string>>;
}

/** @param apiPort - where pods find the API server on 127.0.0.1. */
export function testObjects(admin: ApiClient, apiPort: number): TestObjects {
  return {
    apply: (source) => applyManifests(admin, source),
    createNamespace: async (prefix = 'test', labels = {}) => {
      const name = `${prefix}-${randomUUID().slice(0, 8)}`;
      await admin.call('POST /api/v1/namespaces', { metadata: { name, labels } });
      // Pods need it, and the controller that makes it may be late or left out.
      await ensureServiceAccount(admin, name, 'default');
      return name;
    },
    makePod: (request) => makePod(admin, request),
    setPodStatus: (pod, status) => setPodStatus(admin, pod, status),
    removePod: async ({ namespace, name }) => {
      await admin.call(`DELETE /api/v1/namespaces/${namespace}/pods/${name}?gracePeriodSeconds=0`);
    },
    podToken: (pod, seconds) => podToken(admin, pod, seconds),
    accountToken: (account, seconds) => accountToken(admin, account, seconds),
    podEnv: ({ name, namespace, uid, nodeName }) => ({
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(apiPort),
      POD_NAME: name,
      POD_NAMESPACE: namespace,
      POD_UID: uid,
      NODE_NAME: nodeName,
    }),
  };
}

import {
  boundBriefError,
  boundError,
  newExecutorPodStatus,
  REPORT_PLURAL,
  type ReportStatus,
  STATUS_GROUP,
  STATUS_VERSION,
} from '@executor-status/api';
import { runningStatus } from '../support/control-plane/pods.ts';
import type { LoadRequest } from './http2-client.ts';
import type { LoadPod, Target } from './load-job.ts';

const APPLY = 'application/apply-patch+yaml';
const IMAGE = 'registry.invalid/none:1';
const CONTAINERS = {
  containers: [{ name: 'ratify-gatekeeper-provider', image: IMAGE }],
  initContainers: [{ name: 'executor-writer', image: IMAGE, restartPolicy: 'Always' }],
};
const RUNNING = runningStatus(CONTAINERS);

/** What a report says beside whom it is about. */
export interface Said {
  readonly failing: boolean;
  readonly errorBytes: number;
}

/** Makes a pod; its status comes with {@link podStatusRequest}. */
export function podRequest(pod: Omit<LoadPod, 'uid'>, labels: Readonly<Record<string, string>>): LoadRequest {
  const { namespace, name, nodeName, serviceAccount } = pod;
  return {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/pods`,
    contentType: 'application/json',
    body: {
      metadata: { name, labels },
      spec: { serviceAccountName: serviceAccount, nodeName, ...CONTAINERS },
    },
  };
}

/** Says of a pod what a kubelet says once it runs. */
export function podStatusRequest({ namespace, name }: LoadPod): LoadRequest {
  return {
    method: 'PATCH',
    path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
    contentType: 'application/merge-patch+json',
    body: { status: RUNNING },
  };
}

/** Asks for a token that is bound to the pod. */
export function tokenRequest({ namespace, name, uid, serviceAccount }: LoadPod): LoadRequest {
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name, uid };
  return {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`,
    contentType: 'application/json',
    body: { spec: { expirationSeconds: 7200, boundObjectRef } },
  };
}

/** Makes a report, still without a status, as a writer does. */
export function reportRequest(pod: LoadPod, target: Target): LoadRequest {
  const report = newExecutorPodStatus(pod, { kind: 'Executor', name: target.name });
  return {
    method: 'PATCH',
    path: `${reportPath(pod.namespace, report.metadata.name)}?${MANAGER}`,
    contentType: APPLY,
    body: report,
  };
}

/** Applies the status of a report. */
export function statusRequest(pod: LoadPod, target: Target, said: Said): LoadRequest {
  const { apiVersion, kind, metadata } = newExecutorPodStatus(pod, { kind: 'Executor', name: target.name });
  const { name } = metadata;
  return {
    method: 'PATCH',
    path: `${reportPath(pod.namespace, name)}/status?${MANAGER}`,
    contentType: APPLY,
    body: { apiVersion, kind, metadata: { name }, status: statusOf(pod, target, said) },
  };
}

const MANAGER = 'fieldManager=executor-writer&force=true';

const reportPath = (namespace: string, name: string) =>
  `/apis/${STATUS_GROUP}/${STATUS_VERSION}/namespaces/${namespace}/${REPORT_PLURAL}/${name}`;

function statusOf(pod: LoadPod, { uid, generation }: Target, said: Said): ReportStatus {
  const common = {
    id: pod.name,
    executorUID: uid,
    executorGeneration: generation,
    lastTransitionTime: '2026-08-06T09:00:00Z',
    writerVersion: '0.1.0',
  };
  if (said.failing) {
    const error = errorText(pod.name, said.errorBytes);
    return {
      ...common,
      succeeded: false,
      reason: 'ProviderUnreachable',
      error: boundError(error),
      briefError: boundBriefError(error),
    };
  }
  return {
    ...common,
    succeeded: true,
    reason: 'Built',
    lastSucceededGeneration: generation,
    material: [MATERIAL],
    materialDigest: '5f0c2a9d1b7e4c38',
  };
}

const MATERIAL = {
  path: 'spec.verifiers[0]',
  source: '/usr/local/notation/certs/root.pem',
  sha256: '5f0c2a9d1b7e4c38',
  notAfter: '2046-08-06T09:00:00Z',
};

/** Different in each pod, and with what JSON writes as six bytes: nothing here may be shared. */
function errorText(pod: string, bytes: number): string {
  const piece = `${pod}: cannot reach <https://vault.example/keys?a=1&b=2>; `;
  return piece.repeat(Math.ceil(bytes / piece.length)).slice(0, Math.max(bytes, piece.length));
}

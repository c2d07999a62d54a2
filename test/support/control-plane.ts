import { rm } from 'node:fs/promises';
import { type Assets, resolveAssets } from '../../scripts/kube/assets.ts';
import { ApiClient } from './control-plane/api-client.ts';
import type { Manifest } from './control-plane/apply-manifests.ts';
import { AuditLog } from './control-plane/audit-log.ts';
import { type Components, components } from './control-plane/components.ts';
import { type CredentialFiles, credentialFiles } from './control-plane/credentials.ts';
import { type KubectlResult, kubectlFor } from './control-plane/kubectl.ts';
import type { Pod, PodRequest } from './control-plane/pods.ts';
import { type Prepared, prepareFiles, type Reach } from './control-plane/prepare-files.ts';
import type { Restartable } from './control-plane/restartable.ts';
import { type TestObjects, testObjects } from './control-plane/test-objects.ts';
import { ownDirectory } from './own-directory.ts';

export type { ApiAnswer, ApiObject } from './control-plane/api-client.ts';
export { APPLY_PATCH, ApiClient, ApiError, JSON_PATCH, MERGE_PATCH } from './control-plane/api-client.ts';
export type { AuditEntry, AuditFilter, AuditMark } from './control-plane/audit-entry.ts';
export { podNameOf, podUidOf } from './control-plane/audit-entry.ts';
export type { KubectlResult, Manifest, Pod, PodRequest };

/** How a control plane shall be. */
export interface ControlPlaneOptions {
  /** By default the version that KUBERNETES_VERSION names. */
  readonly version?: string;
  /** What kube-controller-manager runs; an empty list leaves it out. */
  readonly controllers?: readonly string[];
  /**
   * YAML files applied before kube-controller-manager starts. The garbage collector looks for new kinds only
   * every 30 s, so CRDs whose objects it shall remove belong here.
   */
  readonly manifests?: readonly string[];
  /** So that pods on a node of this machine reach the API server; on 127.0.0.1 alone when left out. */
  readonly reach?: Reach;
  /** Takes one line at a time: which programs are used, and progress while they are built. */
  readonly log?: (line: string) => void;
}

/** A running etcd, kube-apiserver and kube-controller-manager, all on 127.0.0.1. */
export interface ControlPlane extends AsyncDisposable, TestObjects, CredentialFiles {
  readonly version: string;
  /** `https://127.0.0.1:port`, or where it was told to be reached. */
  readonly url: string;
  readonly caFile: string;
  /** The administrator's. */
  readonly kubeconfig: string;
  /** Logs, keys and data; removed by `stop`. */
  readonly directory: string;
  readonly admin: ApiClient;
  readonly audit: AuditLog;
  readonly apiServer: Restartable;
  readonly controllerManager: Restartable;
  /** A client for the bearer of a token. */
  readonly as: (token: string) => ApiClient;
  readonly kubectl: (...args: readonly string[]) => Promise<KubectlResult>;
  /** Ends all processes and removes the directory; a second call does nothing. */
  readonly stop: () => Promise<void>;
}

/** Enough for namespaces, accounts and owner references, and none that needs nodes. */
export const DEFAULT_CONTROLLERS: readonly string[] = [
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'clusterrole-aggregation-controller',
];

/**
 * Starts a Kubernetes control plane with its own ports, directory and keys; takes some five seconds. It
 * ends with this process, also if this process is killed.
 *
 * @throws {Error} if the programs cannot be had, or one does not start; the message has its last log lines.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const {
    version,
    controllers = DEFAULT_CONTROLLERS,
    manifests = [],
    reach,
    log = () => undefined,
  } = options;
  const assets = await resolveAssets({
    env: process.env,
    log,
    ...(version === undefined ? {} : { version }),
  });
  const directory = await ownDirectory('control-plane');
  const prepared = await prepareFiles(directory, new Date(), reach);
  const admin = new ApiClient(prepared.admin);
  const parts = components({ assets, layout: prepared.layout, directory, controllers, admin });
  const controlPlane = assemble({ assets, directory, prepared, admin, parts });
  try {
    // The API server tries again until etcd answers, so both may start at once.
    await Promise.all([parts.etcd.start(), parts.apiServer.start()]);
    for (const file of manifests) await controlPlane.apply(file);
    if (controllers.length > 0) await parts.controllerManager.start();
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
  return controlPlane;
}

interface Parts {
  readonly assets: Assets;
  readonly directory: string;
  readonly prepared: Prepared;
  readonly admin: ApiClient;
  readonly parts: Components;
}

function assemble({ assets, directory, prepared, admin, parts }: Parts): ControlPlane {
  const { file, apiPort } = prepared.layout;
  const clients = [admin];
  const stop = async () => {
    await Promise.all([parts.controllerManager, parts.apiServer, parts.etcd].map((part) => part.kill()));
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await rm(directory, { recursive: true, force: true });
  };
  return {
    version: assets.version,
    url: prepared.admin.url,
    caFile: file('ca.crt'),
    kubeconfig: file('admin.kubeconfig'),
    directory,
    admin,
    apiServer: parts.apiServer,
    controllerManager: parts.controllerManager,
    audit: new AuditLog(file('audit.log'), (path) => admin.request(`GET ${path}`)),
    kubectl: kubectlFor(assets.path('kubectl'), file('admin.kubeconfig'), directory),
    as: (token) => {
      const client = new ApiClient({ ...prepared.admin, client: { token } });
      clients.push(client);
      return client;
    },
    ...testObjects(admin, apiPort),
    ...credentialFiles(directory, prepared.admin),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

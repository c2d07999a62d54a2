import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiAccess, ApiClient } from './api-client.ts';
import { kubeconfig } from './kubeconfig.ts';
import type { Pod } from './pods.ts';

/** How long a token holds unless asked otherwise, in seconds; the API server refuses less than 600. */
const TOKEN_SECONDS = 3_600;

/** Asks for a token of the pod's ServiceAccount that is bound to the pod, as the kubelet does. */
export async function podToken(admin: ApiClient, pod: Pod, seconds: number = TOKEN_SECONDS): Promise<string> {
  const { name, uid } = pod;
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name, uid };
  return await requestToken(admin, pod, { expirationSeconds: seconds, boundObjectRef });
}

/** Asks for a token of a ServiceAccount that is bound to no pod. */
export async function accountToken(
  admin: ApiClient,
  account: Pick<Pod, 'namespace' | 'serviceAccount'>,
  seconds: number = TOKEN_SECONDS,
): Promise<string> {
  return await requestToken(admin, account, { expirationSeconds: seconds });
}

async function requestToken(
  admin: ApiClient,
  { namespace, serviceAccount }: Pick<Pod, 'namespace' | 'serviceAccount'>,
  spec: Readonly<Record<string, unknown>>,
): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
  const { status } = await admin.call<{ status: { token: string } }>(`POST ${path}`, { spec });
  return status.token;
}

/** Writes files that hold a token, in the directory of one control plane. */
export interface CredentialFiles {
  /**
   * Makes a directory with `token`, `ca.crt` and `namespace`, as a pod sees it under
   * `/var/run/secrets/kubernetes.io/serviceaccount`.
   *
   * @returns its path.
   */
  readonly inClusterDirectory: (token: string) => Promise<string>;
  /** Writes a kubeconfig file for the bearer of a token, and returns its path. */
  readonly kubeconfigFor: (token: string) => Promise<string>;
}

/** @param admin - names the API server and its authority. */
export function credentialFiles(directory: string, admin: ApiAccess): CredentialFiles {
  return {
    inClusterDirectory: async (token) => {
      const path = join(directory, `in-cluster-${randomUUID()}`);
      await mkdir(path);
      await Promise.all([
        writeFile(join(path, 'token'), token, { mode: 0o600 }),
        writeFile(join(path, 'ca.crt'), admin.ca),
        writeFile(join(path, 'namespace'), namespaceOf(token)),
      ]);
      return path;
    },
    kubeconfigFor: async (token) => {
      const path = join(directory, `${randomUUID()}.kubeconfig`);
      await writeFile(path, kubeconfig({ ...admin, client: { token } }), { mode: 0o600 });
      return path;
    },
  };
}

/** A ServiceAccount's token names its namespace itself. */
function namespaceOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    readonly 'kubernetes.io'?: { readonly namespace?: string };
  };
  return claims['kubernetes.io']?.namespace ?? 'default';
}

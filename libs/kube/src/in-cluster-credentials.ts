import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from './credentials.ts';
import { proxyFor } from './proxy-for.ts';

/** Where {@link inClusterCredentials} looks. */
export interface InClusterOptions {
  /** Where `token` and `ca.crt` are mounted: usually `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly directory: string;
  /** `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`; `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The credentials that Kubernetes mounts into a pod. The token is read for each request and the CA for each check of the
 * connection, so that a rotated file counts at once and no copy can be out of date.
 *
 * @throws {Error} if the environment does not name the API server.
 */
export function inClusterCredentials({ directory, env }: InClusterOptions): Credentials {
  const server = serverFrom(env);
  const proxy = proxyFor(server, env);
  return {
    server,
    connection: async () => ({ ca: await read(directory, 'ca.crt'), ...(proxy !== undefined && { proxy }) }),
    headers: async () => ({ authorization: `Bearer ${(await read(directory, 'token')).trim()}` }),
    renew: () => undefined,
  };
}

function serverFrom(env: InClusterOptions['env']): URL {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) {
    throw new Error(
      'not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; run it in a pod, or give a kubeconfig',
    );
  }
  return new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`);
}

async function read(directory: string, file: string): Promise<string> {
  const text = await readFile(join(directory, file), 'utf8');
  if (text.trim() === '') throw new Error(`${join(directory, file)} is empty`);
  return text;
}

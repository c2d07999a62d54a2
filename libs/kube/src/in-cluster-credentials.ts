import type { Credentials } from './credentials.ts';

/** Where {@link inClusterCredentials} looks. */
export interface InClusterOptions {
  /** Where `token` and `ca.crt` are mounted: usually `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly directory: string;
  /** `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`; `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The credentials that Kubernetes mounts into a pod. The token is read for each request and the CA for each check, so
 * that a rotated file counts at once.
 *
 * @throws {Error} if the environment does not name the API server.
 */
export function inClusterCredentials(options: InClusterOptions): Credentials {
  throw new Error(`not built yet: ${options.directory}`);
}

import type { Credentials } from './credentials.ts';

/** Which kubeconfig {@link kubeconfigCredentials} reads. */
export interface KubeconfigOptions {
  readonly path: string;
  /** The context to use; default: the file's current one. */
  readonly context?: string;
  /** For exec plugins, and for `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The credentials of a kubeconfig file: token, token file, client certificate, basic, exec plugin; proxy and server name.
 *
 * @throws {Error} if the file cannot be read, or has no such context.
 */
export async function kubeconfigCredentials(options: KubeconfigOptions): Promise<Credentials> {
  throw new Error(`not built yet: ${options.path}`);
}

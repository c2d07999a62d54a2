import { type Credentials, inClusterCredentials, kubeconfigCredentials } from '@executor-status/kube';
import { MisconfigurationError } from '@executor-status/process';
import type { Config } from './config.ts';

/**
 * How to reach the API server: by the kubeconfig file if one is set, else as a pod does.
 *
 * @throws {MisconfigurationError} if the file, or what Kubernetes gives a pod, is not there.
 */
export async function credentialsOf(
  { kubeconfig, credentialsDir }: Pick<Config, 'kubeconfig' | 'credentialsDir'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Credentials> {
  try {
    if (kubeconfig !== undefined) return await kubeconfigCredentials({ path: kubeconfig, env });
    return inClusterCredentials({ directory: credentialsDir, env });
  } catch (error) {
    const setting = kubeconfig === undefined ? '--credentials-dir' : '--kubeconfig';
    throw new MisconfigurationError(`cannot reach the API server as ${setting} says`, { cause: error });
  }
}

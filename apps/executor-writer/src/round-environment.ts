import {
  azureKeyVault,
  type Environment,
  podEnvironment,
  sharedEnvironment,
  tufSigstoreRoot,
} from '@executor-status/executor';
import type { Config } from './config.ts';

/** The settings that say what a build may look at and for how long. */
export type EnvironmentSettings = Pick<
  Config,
  'filesRoot' | 'buildDeadlineMs' | 'askKeyVault' | 'askSigstoreRoot' | 'sigstoreCache' | 'providerTimeoutMs'
>;

/**
 * Makes what one round of builds looks at: the disk, the variables and the providers of this pod. Vault clients and their
 * tokens live as long as the returned function; answers are shared within a round and no longer.
 */
export function roundEnvironment(
  settings: EnvironmentSettings,
  variables: Readonly<Record<string, string | undefined>>,
  now: () => Date,
): (signal: AbortSignal) => Environment {
  const { filesRoot, buildDeadlineMs, askKeyVault, askSigstoreRoot, sigstoreCache, providerTimeoutMs } =
    settings;
  const providers = {
    ...(askKeyVault && { keyVault: azureKeyVault({ variables, callTimeoutMs: providerTimeoutMs }) }),
    ...(askSigstoreRoot && {
      sigstoreRoot: tufSigstoreRoot({
        variables,
        timeoutMs: providerTimeoutMs,
        ...(sigstoreCache !== undefined && { cachePath: sigstoreCache }),
      }),
    }),
  };
  return (signal) =>
    sharedEnvironment(
      podEnvironment({ variables, filesRoot, now, signal, deadlineMs: buildDeadlineMs, ...providers }),
    );
}

import type { Environment, KeyVault, VaultRequest, Walk } from './environment.ts';

/**
 * `environment` for one build round of a set: identical work is done once and shared by all members, failures included.
 * Make a new one for each round.
 */
export function sharedEnvironment(environment: Environment): Environment {
  const walks = new Map<string, Promise<Walk>>();
  const files = new Map<string, Promise<Uint8Array>>();
  const root = new Map<string, Promise<void>>();
  const { keyVault, sigstoreRoot, signal: roundSignal } = environment;
  return {
    ...environment,
    now: () => environment.now(),
    walk: (path) => once(walks, path, () => environment.walk(path)),
    readFile: (path) => once(files, path, () => environment.readFile(path)),
    ...(keyVault === undefined ? {} : { keyVault: sharedVault(keyVault, roundSignal) }),
    ...(sigstoreRoot === undefined
      ? {}
      : {
          sigstoreRoot: {
            fetch: (signal) => once(root, '', () => sigstoreRoot.fetch(roundSignal ?? signal)),
          },
        }),
  };
}

/** What is shared by all is ended with the round, and not by a build that is called off and happened to ask first. */
function sharedVault(vault: KeyVault, roundSignal: AbortSignal | undefined): KeyVault {
  const secrets = new Map<string, ReturnType<KeyVault['secret']>>();
  const keys = new Map<string, ReturnType<KeyVault['key']>>();
  return {
    secret: (request, signal) =>
      once(secrets, keyOf(request), () => vault.secret(request, roundSignal ?? signal)),
    key: (request, signal) => once(keys, keyOf(request), () => vault.key(request, roundSignal ?? signal)),
  };
}

function keyOf({ vaultURL, clientID, tenantID, name, version }: VaultRequest): string {
  return JSON.stringify([vaultURL, clientID, tenantID, name, version]);
}

function once<T>(done: Map<string, Promise<T>>, key: string, run: () => Promise<T>): Promise<T> {
  const before = done.get(key);
  if (before !== undefined) return before;
  const now = run();
  done.set(key, now);
  return now;
}

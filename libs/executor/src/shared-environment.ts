import type { Environment, KeyVault, SigstoreRoot, VaultRequest, Walk } from './environment.ts';
import { SharedWork } from './shared-work.ts';

/**
 * `environment` for one build round of a set: identical work is done once and shared by all members, failures included.
 * The deadline of one member ends nothing that another one waits for. Make a new one for each round.
 */
export function sharedEnvironment(environment: Environment): Environment {
  const walks = new Map<string, Promise<Walk>>();
  const files = new Map<string, Promise<Uint8Array>>();
  const { keyVault, sigstoreRoot } = environment;
  return {
    ...environment,
    now: () => environment.now(),
    walk: (path) => once(walks, path, () => environment.walk(path)),
    readFile: (path) => once(files, path, () => environment.readFile(path)),
    ...(keyVault === undefined ? {} : { keyVault: sharedVault(keyVault) }),
    ...(sigstoreRoot === undefined ? {} : { sigstoreRoot: sharedRoot(sigstoreRoot) }),
  };
}

function sharedVault(vault: KeyVault): KeyVault {
  const secrets = new SharedWork<Awaited<ReturnType<KeyVault['secret']>>>();
  const keys = new SharedWork<Awaited<ReturnType<KeyVault['key']>>>();
  return {
    secret: (request, signal) =>
      secrets.ask(keyOf(request), signal, (shared) => vault.secret(request, shared)),
    key: (request, signal) => keys.ask(keyOf(request), signal, (shared) => vault.key(request, shared)),
  };
}

function sharedRoot(root: SigstoreRoot): SigstoreRoot {
  const fetches = new SharedWork<void>();
  return { fetch: (signal) => fetches.ask('', signal, (shared) => root.fetch(shared)) };
}

function keyOf({ vaultURL, clientID, tenantID, name, version }: VaultRequest): string {
  return JSON.stringify([vaultURL, clientID, tenantID, name, version]);
}

/** The disk takes no signals: what is begun there ends. */
function once<T>(done: Map<string, Promise<T>>, key: string, run: () => Promise<T>): Promise<T> {
  const before = done.get(key);
  if (before !== undefined) return before;
  const now = run();
  done.set(key, now);
  return now;
}

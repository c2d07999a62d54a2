import { setGlobalProxyFromEnv } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { podNetwork } from '../azure/agents.ts';
import type { SigstoreRoot } from '../environment.ts';
import { ProviderError } from '../provider-error.ts';
import { within } from '../within.ts';

/** Where Sigstore's trusted root comes from and where it is kept. */
export interface TufSigstoreRootOptions {
  /** A folder that can be written; by default `.sigstore` in the home folder, as in Ratify. */
  readonly cachePath?: string;
  /** The TUF repository; by default Sigstore's own. */
  readonly mirrorURL?: string;
  /** The first `root.json` of another repository than Sigstore's own. */
  readonly rootPath?: string;
  /** How long one fetch may take, in milliseconds; 20,000 by default. */
  readonly timeoutMs?: number;
  /** The process environment, for proxies and authorities; none by default. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Fetches Sigstore's trusted root over TUF, as Ratify does each time that it builds a keyless trust policy. Loads the
 * TUF client with the first fetch.
 *
 * That client knows the `fetch` of this process only. So with the first fetch the proxies and authorities of `variables`
 * are made those of the whole process; whoever brings an agent or a CA of its own, as all others here do, is not touched.
 * Downloads go through the folder for temporary files (`TMPDIR`), which must be one that can be written.
 */
export function tufSigstoreRoot(options: TufSigstoreRootOptions = {}): SigstoreRoot {
  const { cachePath = defaultCachePath(), mirrorURL, rootPath, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const { variables } = options;
  const tuf = {
    cachePath,
    // The writer retries by its own rules.
    retry: false,
    timeout: timeoutMs,
    ...(mirrorURL === undefined ? {} : { mirrorURL }),
    ...(rootPath === undefined ? {} : { rootPath }),
  };
  let prepared = variables === undefined;
  return {
    fetch: async (signal) => {
      const { getTrustedRoot } = await import('@sigstore/tuf');
      if (!prepared) takeNetwork(variables ?? {});
      prepared = true;
      try {
        await within(signal, timeoutMs, () => getTrustedRoot(tuf));
      } catch (error) {
        throw rootError(error);
      }
    },
  };
}

/** Where Ratify keeps the root too. */
export function defaultCachePath(): string {
  return join(homedir(), '.sigstore');
}

function takeNetwork(variables: Readonly<Record<string, string | undefined>>): void {
  try {
    const { proxyEnv, ca } = podNetwork(variables);
    setGlobalProxyFromEnv(proxyEnv);
    if (ca !== undefined) setDefaultCACertificates([ca]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `the proxies or the authorities of SSL_CERT_FILE cannot be used: ${why}`;
    throw new ProviderError(message, { reason: 'ProviderUnreachable' });
  }
}

/** Codes of the disk: the folder cannot be written, which no waiting mends. */
const DISK = /^(?:EROFS|EACCES|EPERM|ENOENT|ENOSPC|ENOTDIR)$/;

function rootError(error: unknown): ProviderError {
  const chain = [...causes(error)];
  const disk = chain.find(({ code }) => typeof code === 'string' && DISK.test(code));
  if (disk !== undefined)
    return new ProviderError(`its cache cannot be written: ${disk.message}`, { reason: 'BuildFailed' });
  const text = chain.map(({ message }) => message).filter((message) => message !== '');
  return new ProviderError(text.join(': ') || 'no answer', { reason: 'ProviderUnreachable' });
}

function* causes(error: unknown): Generator<{ readonly message: string; readonly code?: unknown }> {
  let depth = 0;
  for (let cause = error; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) yield cause;
}

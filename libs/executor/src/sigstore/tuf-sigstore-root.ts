import { homedir } from 'node:os';
import { join } from 'node:path';
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
}

const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Fetches Sigstore's trusted root over TUF, as Ratify does each time that it builds a keyless trust policy. Loads the
 * TUF client with the first fetch. It follows `HTTPS_PROXY` if the process runs with `NODE_USE_ENV_PROXY=1`, and puts
 * downloads into the folder for temporary files first.
 */
export function tufSigstoreRoot(options: TufSigstoreRootOptions = {}): SigstoreRoot {
  const {
    cachePath = join(homedir(), '.sigstore'),
    mirrorURL,
    rootPath,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  } = options;
  const tuf = {
    cachePath,
    // The writer retries by its own rules.
    retry: false,
    timeout: timeoutMs,
    ...(mirrorURL === undefined ? {} : { mirrorURL }),
    ...(rootPath === undefined ? {} : { rootPath }),
  };
  return {
    fetch: async (signal) => {
      const { getTrustedRoot } = await import('@sigstore/tuf');
      try {
        await within(signal, timeoutMs, () => getTrustedRoot(tuf));
      } catch (error) {
        throw rootError(error);
      }
    },
  };
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

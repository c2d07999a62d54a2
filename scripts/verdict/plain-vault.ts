import {
  type KeyVault,
  keyOfAnswer,
  ProviderError,
  secretOfAnswer,
  type VaultRequest,
} from '@executor-status/executor';

/** The API version that is asked for; a stand-in may ignore it. */
const API_VERSION = '7.6';

/** A key vault that asks `base` in place of every vault, without a token. */
export function plainVault(base: URL): KeyVault {
  return {
    secret: async (request, signal) => secretOfAnswer(await get(urlOf(base, 'secrets', request), signal)),
    key: async (request, signal) => keyOfAnswer(await get(urlOf(base, 'keys', request), signal)),
  };
}

function urlOf(base: URL, kind: 'secrets' | 'keys', { name, version }: VaultRequest): string {
  const root = base.href.replace(/\/+$/, '');
  const path = [kind, name, version].map(encodeURIComponent).join('/');
  return `${root}/${path}?api-version=${API_VERSION}`;
}

async function get(url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, { signal, redirect: 'error' });
    if (response.ok) return await response.json();
    throw new Error(`HTTP ${response.status}`);
  } catch (error) {
    throw new ProviderError(`no answer from ${new URL(url).host}`, {
      reason: 'ProviderUnreachable',
      cause: error,
    });
  }
}

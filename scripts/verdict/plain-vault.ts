import { type KeyVault, ProviderError, type VaultRequest } from '@executor-status/executor';

/** The API version that is asked for; a stand-in may ignore it. */
const API_VERSION = '7.6';

/** A key vault that asks `base` in place of every vault, without a token. */
export function plainVault(base: URL): KeyVault {
  return {
    secret: async (request, signal) => {
      const answer = await get(urlOf(base, 'secrets', request), signal);
      return {
        ...text('value', answer['value']),
        ...text('contentType', answer['contentType']),
        ...text('version', versionOf(answer['id'])),
      };
    },
    key: async (request, signal) => {
      const answer = await get(urlOf(base, 'keys', request), signal);
      const { attributes, key } = answer;
      const enabled = isObject(attributes) ? attributes['enabled'] : undefined;
      return {
        ...(typeof enabled === 'boolean' ? { enabled } : {}),
        ...(isObject(key) ? { jwk: key, ...text('version', versionOf(key['kid'])) } : {}),
      };
    },
  };
}

function urlOf(base: URL, kind: 'secrets' | 'keys', { name, version }: VaultRequest): string {
  const root = base.href.replace(/\/+$/, '');
  const path = [kind, name, version].map(encodeURIComponent).join('/');
  return `${root}/${path}?api-version=${API_VERSION}`;
}

async function get(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, { signal, redirect: 'error' });
    const body: unknown = response.ok ? await response.json() : undefined;
    if (isObject(body)) return body;
    throw new Error(`HTTP ${response.status}`);
  } catch (error) {
    throw new ProviderError(`no answer from ${new URL(url).host}`, {
      reason: 'ProviderUnreachable',
      cause: error,
    });
  }
}

const text = <K extends string>(name: K, value: unknown) =>
  typeof value === 'string' ? ({ [name]: value } as Record<K, string>) : {};

/** The last part of an object's id. */
function versionOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id.split('/').at(-1) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

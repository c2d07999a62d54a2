import type { VaultKey, VaultSecret } from '../environment.ts';
import { isObject } from '../go/go-type.ts';

/** What a key vault's JSON answer to `GET /secrets/…` says; a field of a wrong type counts as absent. */
export function secretOfAnswer(answer: unknown): VaultSecret {
  const { value, contentType, id } = isObject(answer) ? answer : {};
  return { ...text('value', value), ...text('contentType', contentType), ...text('version', versionOf(id)) };
}

/** What a key vault's JSON answer to `GET /keys/…` says; a field of a wrong type counts as absent. */
export function keyOfAnswer(answer: unknown): VaultKey {
  const { attributes, key } = isObject(answer) ? answer : {};
  const enabled = isObject(attributes) ? attributes['enabled'] : undefined;
  return {
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(isObject(key) ? { jwk: key, ...text('version', versionOf(key['kid'])) } : {}),
  };
}

function text<K extends string>(name: K, value: unknown): { readonly [N in K]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { [N in K]: string }) : {};
}

/** The last part of an object's id: `https://vault/kind/name/version`. */
function versionOf(id: unknown): unknown {
  return typeof id === 'string' ? id.split('/').at(-1) : undefined;
}

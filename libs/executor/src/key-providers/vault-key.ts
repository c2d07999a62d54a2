import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { VaultKey } from '../environment.ts';
import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';

/** RSA moduli, in bytes, that Ratify takes. */
const RSA_BYTES: ReadonlySet<number> = new Set([256, 384, 512]);
const CURVES: ReadonlySet<unknown> = new Set(['P-256', 'P-384', 'P-521']);

/** The public key of a vault's answer, encoded; a fault where Ratify refuses it or panics. */
export function readVaultKey(key: VaultKey, place: { path: string; name: string }): Buffer {
  const { path, name } = place;
  const fault = (code: 'KeyVaultPanic' | 'KeyVaultKeyDisabled' | 'KeyVaultKeyInvalid', why: string) =>
    new Fault(code, { path, found: `the key ${quote(name)} ${why}` });
  if (key.enabled === undefined) throw fault('KeyVaultPanic', 'comes without attributes');
  if (!key.enabled) throw fault('KeyVaultKeyDisabled', 'is disabled');
  if (key.jwk === undefined) throw fault('KeyVaultKeyInvalid', 'comes without key data');
  const { kty } = key.jwk;
  if (typeof kty !== 'string') throw fault('KeyVaultKeyInvalid', 'comes without a type');
  const spki = encode(key.jwk, kty.replace(/-HSM$/, ''));
  if (spki === undefined)
    throw fault('KeyVaultKeyInvalid', `is of a type or size that Ratify does not take (${kty})`);
  return spki;
}

function encode(jwk: Readonly<Record<string, unknown>>, kty: string): Buffer | undefined {
  const supported =
    kty === 'RSA' ? RSA_BYTES.has(modulusBytes(jwk['n'])) : kty === 'EC' && CURVES.has(jwk['crv']);
  if (!supported) return undefined;
  try {
    const { n, e, crv, x, y } = jwk;
    const key = (kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) as JsonWebKey;
    return createPublicKey({ key, format: 'jwk' }).export({ format: 'der', type: 'spki' });
  } catch {
    // Not a key at all: coordinates that are missing, no base64, or not on the curve.
    return undefined;
  }
}

/** Size of the number without leading zero bytes, as Go counts it. */
function modulusBytes(n: unknown): number {
  if (typeof n !== 'string') return 0;
  const bytes = Buffer.from(n, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : bytes.length - first;
}

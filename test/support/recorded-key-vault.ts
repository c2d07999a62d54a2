import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type KeyVault, ProviderError, type VaultKey, type VaultSecret } from '@executor-status/executor';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const PEM = 'application/x-pem-file';
const PKCS12 = 'application/x-pkcs12';

/**
 * The vault that stood behind the recordings `ifKeyVaultReachable`: `objects` says in words what each name held; every
 * other name is a PEM CA certificate and a P-256 key, but `forbidden` and `missing` are refused.
 */
export function recordedKeyVault(objects: Readonly<Record<string, string>>): KeyVault {
  return {
    secret: ({ name }) => answer(name, SECRETS, objects[name] ?? 'secret with a PEM CA certificate'),
    key: ({ name }) => answer(name, KEYS, objects[name] ?? 'EC P-256 key'),
  };
}

async function answer<T>(
  name: string,
  answers: Readonly<Record<string, () => T>>,
  words: string,
): Promise<T> {
  if (name === 'forbidden') throw new ProviderError('HTTP 403', { reason: 'ProviderDenied' });
  if (name === 'missing') throw new ProviderError('HTTP 404', { reason: 'ProviderUnreachable' });
  const make = answers[words];
  if (make === undefined) throw new Error(`no answer is known for: ${words}`);
  return make();
}

const SECRETS: Readonly<Record<string, () => VaultSecret>> = {
  'secret with a PEM CA certificate': () => ({
    contentType: PEM,
    value: text('vectors/fixtures/root-p256.pem'),
  }),
  'secret with a PEM chain that starts with a leaf': () => ({
    contentType: PEM,
    value: text('vectors/fixtures/full-chain.pem'),
  }),
  'PKCS#12 secret, old algorithms, key plus self-signed certificate': () => ({
    contentType: PKCS12,
    value: bytes('key-vault/old-rsa.p12').toString('base64'),
  }),
  'PKCS#12 secret that is not base64': () => ({ contentType: PKCS12, value: '!!!' }),
  'PEM secret without any PEM block': () => ({ contentType: PEM, value: 'junk' }),
  'PEM secret: private key, then CA certificate': () => ({
    contentType: PEM,
    value: text('vectors/fixtures/private-then-root.pem'),
  }),
  'secret with content type text/plain': () => ({ contentType: 'text/plain', value: 'x' }),
};

const KEYS: Readonly<Record<string, () => VaultKey>> = {
  'EC P-256 key': () => jwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
  'EC P-521 key': () => jwk(generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey),
  'RSA 1024 key': () => jwk(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
  'answer without attributes': () => {
    const { jwk: key } = jwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
    return key === undefined ? {} : { jwk: key };
  },
  'answer without key data': () => ({ enabled: true }),
};

function jwk(key: KeyObject): VaultKey {
  return { enabled: true, jwk: { ...key.export({ format: 'jwk' }) } };
}

const bytes = (path: string) => readFileSync(new URL(path, FIXTURES));
const text = (path: string) => bytes(path).toString();

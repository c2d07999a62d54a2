import type { BuildContext } from '../build/build-notes.ts';
import { checkFieldNames } from '../build/field-names.ts';
import type { KeyVault, VaultRequest } from '../environment.ts';
import { decode } from '../faults/decode.ts';
import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import { type GoStruct, goStruct } from '../go/go-struct.ts';
import { goList, goString, type Located } from '../go/go-type.ts';
import { ProviderError } from '../provider-error.ts';
import type { Provided, ProvidedCertificate } from './key-provider.ts';
import { readVaultKey } from './vault-key.ts';
import { readVaultSecret } from './vault-secret.ts';
import { isUsableVault } from './vault-url.ts';

const OBJECT = { name: goString, version: goString };
const OBJECTS = goList(goStruct(OBJECT));
const OPTIONS = {
  certificates: OBJECTS,
  clientID: goString,
  keys: OBJECTS,
  tenantID: goString,
  vaultURL: goString,
};
const OPTIONS_TYPE = goStruct(OPTIONS);

type Options = GoStruct<typeof OPTIONS>;
type VaultObject = Located<GoStruct<typeof OBJECT>>;

/** Builds the provider `azurekeyvault`: fetches certificates, then keys, each in order, at build time. */
export async function buildAzureKeyVault(
  options: Located<unknown>,
  context: BuildContext,
): Promise<Provided> {
  const decoded = decode(OPTIONS_TYPE, options, 'KeyProviderOptionsType');
  checkFieldNames(options, OPTIONS_TYPE, context.notes);
  const { certificates, keys, vaultURL } = decoded;
  if (vaultURL.value === '')
    throw new Fault('KeyVaultUrlMissing', { path: vaultURL.path, found: 'no address' });
  if (certificates.value.length + keys.value.length === 0) {
    throw new Fault('KeyVaultNothingRequested', {
      path: certificates.path,
      found: 'neither certificates nor keys',
    });
  }
  const vault = { path: options.path, options: decoded, context };
  const fetched: ProvidedCertificate[] = [];
  for (const object of certificates.value) fetched.push(...(await fetchCertificates(vault, object)));
  for (const object of keys.value) await fetchKey(vault, object);
  const { keyVault } = context.environment;
  if (keyVault === undefined) context.notes.warn('KeyVaultNotAsked', options.path, quote(vaultURL.value));
  const keysOnly = certificates.value.length === 0;
  return { certificates: fetched, keys: keys.value.length, unasked: keyVault === undefined, keysOnly };
}

interface Vault {
  readonly path: string;
  readonly options: Options;
  readonly context: BuildContext;
}

async function fetchCertificates(vault: Vault, object: VaultObject): Promise<readonly ProvidedCertificate[]> {
  const request = requestOf(vault, object);
  const secret = await ask(vault, request, 'secret');
  if (secret === undefined) return [];
  const { path, context } = vault;
  const version = secret.version ?? request.version;
  const source = `secret ${request.name}${version === '' ? '' : `/${version}`} of ${request.vaultURL}`;
  return (await readVaultSecret(secret, { path, name: request.name })).map((certificate) => {
    context.notes.loaded({
      path: object.path,
      source,
      bytes: certificate.raw,
      notAfter: certificate.notAfter,
    });
    return { certificate, path, source, cause: 'network' };
  });
}

async function fetchKey(vault: Vault, object: VaultObject): Promise<void> {
  const request = requestOf(vault, object);
  const key = await ask(vault, request, 'key');
  if (key === undefined) return;
  const version = key.version ?? request.version;
  const source = `key ${request.name}${version === '' ? '' : `/${version}`} of ${request.vaultURL}`;
  const bytes = readVaultKey(key, { path: vault.path, name: request.name });
  vault.context.notes.loaded({ path: object.path, source, bytes });
}

/** A name is asked for when its turn comes, then the address is looked at. */
function requestOf({ options }: Vault, object: VaultObject): VaultRequest {
  const { name, version } = object.value;
  const { vaultURL, clientID, tenantID } = options;
  if (name.value === '') throw new Fault('KeyVaultObjectNameMissing', { path: name.path, found: 'no name' });
  if (!isUsableVault(vaultURL.value)) {
    throw new Fault('KeyVaultUrlInvalid', {
      path: vaultURL.path,
      found: `the address ${quote(vaultURL.value)}`,
    });
  }
  return {
    vaultURL: vaultURL.value,
    clientID: clientID.value,
    tenantID: tenantID.value,
    name: name.value,
    version: version.value,
  };
}

type Answer<K extends 'secret' | 'key'> = Awaited<ReturnType<KeyVault[K]>>;

/** Asks the vault, `undefined` when a setting says not to. */
async function ask<K extends 'secret' | 'key'>(
  vault: Vault,
  request: VaultRequest,
  kind: K,
): Promise<Answer<K> | undefined> {
  const { environment, signal, notes } = vault.context;
  const which = `the ${kind} ${quote(request.name)}`;
  notes.waiting = { path: vault.path, what: `${which} of ${quote(request.vaultURL)}` };
  try {
    const answer = await environment.keyVault?.[kind](request, signal);
    return answer as Answer<K> | undefined;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const found = `${which} could not be fetched from ${quote(request.vaultURL)}`;
    const { reason, retryAfterMs } = error;
    throw new Fault(
      'KeyVaultFetchFailed',
      { path: vault.path, found },
      { reason, cause: error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    );
  }
}

import type { BuildContext } from '../build/build-notes.ts';
import { checkFieldNames } from '../build/field-names.ts';
import { warnOfDates } from '../build/warn-of-dates.ts';
import { decode } from '../faults/decode.ts';
import { Fault } from '../faults/fault.ts';
import { found, quote } from '../faults/found.ts';
import { compareBytes } from '../go/go-sort.ts';
import { goStruct } from '../go/go-struct.ts';
import { goList, goMap, goString, type Located } from '../go/go-type.ts';
import { checkNotationIdentities, hasForeignPrefix } from '../identities/notation-identities.ts';
import { createKeyProvider } from '../key-providers/create-key-provider.ts';
import type { ProvidedCertificate } from '../key-providers/key-provider.ts';
import { checkNotationScopes } from '../scopes/notation-scopes.ts';
import { whyNoTrustAnchor } from '../x509/trust-anchor.ts';

const PARAMETERS_TYPE = goStruct({
  certificates: goList(goMap),
  scopes: goList(goString),
  trustedIdentities: goList(goString),
});
const TRUST_STORE_TYPES: ReadonlySet<unknown> = new Set(['ca', 'tsa', 'signingAuthority']);

type Entry = Located<ReadonlyMap<string, Located<unknown>> | undefined>;

/** Builds a notation verifier: its trust stores, then its trust policy. */
export async function buildNotation(parameters: Located<unknown>, context: BuildContext): Promise<void> {
  const { certificates, scopes, trustedIdentities } = decode(
    PARAMETERS_TYPE,
    parameters,
    'VerifierParametersType',
  );
  checkFieldNames(parameters, PARAMETERS_TYPE, context.notes);
  if (certificates.value.length === 0) {
    throw new Fault('NotationCertificatesMissing', { path: certificates.path, found: 'no entry' });
  }
  const stores = new Map<unknown, string>();
  for (const entry of certificates.value) {
    checkStoreType(entry, stores);
    await loadEntry(entry, context);
  }
  checkNotationIdentities(trustedIdentities.value);
  for (const { path, value } of trustedIdentities.value) {
    if (hasForeignPrefix(value)) context.notes.warn('IdentityPrefixUnknown', path, quote(value));
  }
  checkNotationScopes(scopes.value);
}

/** Each type once; an entry without a type is `ca`. */
function checkStoreType(entry: Entry, stores: Map<unknown, string>): void {
  const given = entry.value?.get('type');
  const type = given === undefined ? 'ca' : given.value;
  if (!TRUST_STORE_TYPES.has(type)) {
    const path = given?.path ?? entry.path;
    throw new Fault('NotationTrustStoreTypeInvalid', { path, found: found(type) });
  }
  const first = stores.get(type);
  if (first !== undefined) {
    const path = given?.path ?? entry.path;
    throw new Fault('NotationTrustStoreTypeDuplicate', {
      path,
      found: `a second ${String(type)} after ${first}`,
    });
  }
  stores.set(type, entry.path);
}

async function loadEntry(entry: Entry, context: BuildContext): Promise<void> {
  let loaded = 0;
  const providers = [...(entry.value ?? [])].filter(([name]) => name !== 'type');
  for (const [name, options] of providers.sort(([a], [b]) => compareBytes(a, b))) {
    const { certificates, keysOnly, unasked } = await createKeyProvider(name, options, context);
    if (keysOnly === true)
      throw new Fault('KeyVaultNoCertificates', { path: options.path, found: 'only keys' });
    for (const provided of certificates) requireTrustAnchor(provided);
    warnOfDates(certificates, context);
    // An unasked vault may hold something, and has a warning of its own.
    loaded += unasked === true ? 1 : certificates.length;
  }
  if (loaded === 0) context.notes.warn('TrustStoreEmpty', entry.path);
}

function requireTrustAnchor({ certificate, path, source, cause }: ProvidedCertificate): void {
  const why = whyNoTrustAnchor(certificate);
  if (why === undefined) return;
  const origin = source === '' ? '' : ` from ${source}`;
  const found = `the certificate ${quote(certificate.subject)}${origin} ${why}`;
  throw new Fault('CertificateNotTrustAnchor', { path, found }, { faultCause: cause });
}

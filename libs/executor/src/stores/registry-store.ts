import type { BuildContext } from '../build/build-notes.ts';
import { checkFieldNames } from '../build/field-names.ts';
import { warnOfDates } from '../build/warn-of-dates.ts';
import { decode } from '../faults/decode.ts';
import { Fault } from '../faults/fault.ts';
import { count } from '../faults/found.ts';
import { goStruct } from '../go/go-struct.ts';
import { goBool, goInt64, goMap, goString, type Located } from '../go/go-type.ts';
import { decodeBase64 } from '../pem/base64.ts';
import { nextPem, toBytes } from '../pem/pem.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { buildCredential } from './credential.ts';

const PARAMETERS_TYPE = goStruct({
  allowCosignTag: goBool,
  caBase64: goString,
  caPem: goString,
  credential: goMap,
  maxBlobBytes: goInt64,
  maxManifestBytes: goInt64,
  plainHttp: goBool,
  userAgent: goString,
});

/** Builds a registry store: types, credential, CA bundle. Nothing is contacted. */
export function buildRegistryStore(parameters: Located<unknown>, context: BuildContext): void {
  const { credential, caPem, caBase64 } = decode(PARAMETERS_TYPE, parameters, 'StoreParametersType');
  checkFieldNames(parameters, PARAMETERS_TYPE, context.notes);
  buildCredential(credential, context);
  if (caPem.value !== '') loadBundle({ path: caPem.path, value: toBytes(caPem.value) }, context);
  else if (caBase64.value !== '') loadBundle(decodeBundle(caBase64), context);
}

function decodeBundle({ path, value }: Located<string>): Located<string> {
  const bytes = decodeBase64(value);
  if (bytes !== undefined) return { path, value: bytes.toString('latin1') };
  throw new Fault('StoreCaBase64Invalid', {
    path,
    found: `a text of ${count(value.length, 'character')} that is no base64`,
  });
}

/** Everything but certificates without PEM headers is skipped, garbage included; one must be there. */
function loadBundle({ path, value }: Located<string>, context: BuildContext): void {
  const { notes } = context;
  let certificates = 0;
  let next = nextPem(value);
  while (next.block !== undefined) {
    const { label, hasHeaders, bytes } = next.block;
    const certificate = label === 'CERTIFICATE' && !hasHeaders ? parseCertificate(bytes) : undefined;
    if (certificate !== undefined) {
      notes.loaded({ path, source: 'inline', bytes: certificate.raw, notAfter: certificate.notAfter });
      warnOfDates([{ certificate, path, source: '' }], context);
      certificates += 1;
    }
    if (label.endsWith('PRIVATE KEY')) notes.warn('PrivateKeyInSpec', path);
    next = nextPem(next.rest);
  }
  if (certificates === 0)
    throw new Fault('StoreCaInvalid', {
      path,
      found: `${count(value.length, 'byte')} without a usable certificate`,
    });
}

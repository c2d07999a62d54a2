import type { VaultSecret } from '../environment.ts';
import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import { decodeBase64 } from '../pem/base64.ts';
import { nextPem, toBytes } from '../pem/pem.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { pkcs12Certificates } from '../x509/pkcs12.ts';

interface Place {
  readonly path: string;
  readonly name: string;
}

/** The certificates in a secret, by its content type; a fault where Ratify refuses it or panics. */
export async function readVaultSecret(secret: VaultSecret, place: Place): Promise<readonly Certificate[]> {
  const { path, name } = place;
  switch (secret.contentType) {
    case undefined:
      throw new Fault('KeyVaultPanic', { path, found: `the secret ${quote(name)} has no content type` });
    case 'application/x-pkcs12':
      return readPkcs12(secret.value, place);
    case 'application/x-pem-file':
      if (secret.value === undefined)
        throw new Fault('KeyVaultPanic', { path, found: `the secret ${quote(name)} has no value` });
      return readPem(secret.value, place);
    default: {
      const found = `the secret ${quote(name)} has the content type ${quote(secret.contentType)}`;
      throw new Fault('KeyVaultContentTypeInvalid', { path, found });
    }
  }
}

async function readPkcs12(value: string | undefined, place: Place): Promise<readonly Certificate[]> {
  const bytes = decodeBase64(value ?? '');
  if (value === undefined || bytes === undefined) throw invalid(place, 'is no base64');
  const ders = await pkcs12Certificates(bytes);
  if (ders === undefined) throw invalid(place, 'is no PKCS#12 that opens without a password');
  return requireSome(ders.map(parseCertificate), place);
}

/** Text, keys and other blocks are passed over. */
function readPem(value: string, place: Place): readonly Certificate[] {
  const certificates: (Certificate | undefined)[] = [];
  let next = nextPem(toBytes(value));
  while (next.block !== undefined) {
    if (next.block.label === 'CERTIFICATE') certificates.push(parseCertificate(next.block.bytes));
    next = nextPem(next.rest);
  }
  return requireSome(certificates, place);
}

function requireSome(
  certificates: readonly (Certificate | undefined)[],
  place: Place,
): readonly Certificate[] {
  const parsed = certificates.filter((certificate) => certificate !== undefined);
  if (parsed.length < certificates.length) throw invalid(place, 'holds a certificate that does not parse');
  if (parsed.length === 0) throw invalid(place, 'holds no certificate');
  return parsed;
}

function invalid({ path, name }: Place, why: string): Fault {
  return new Fault('KeyVaultCertificateInvalid', { path, found: `the secret ${quote(name)} ${why}` });
}

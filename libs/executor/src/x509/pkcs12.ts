import { readAlgorithm } from './algorithm.ts';
import { DerError, DerReader, explicit, TAG } from './der.ts';
import { readInt64, readOid } from './der-values.ts';
import { loadOldCipher, type OldCipher } from './pkcs12-cipher.ts';

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const SHA1 = '1.3.14.3.2.26';
const KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERT_BAG = '1.2.840.113549.1.12.10.1.3';
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';

/**
 * The certificates of a PKCS#12 file that has an empty password and old algorithms (SHA-1, triple DES, RC2), as DER;
 * `undefined` where Ratify's library refuses it. Not through OpenSSL, which takes new algorithms and no old ones.
 *
 * @see https://pkg.go.dev/golang.org/x/crypto/pkcs12#ToPEM
 */
export async function pkcs12Certificates(bytes: Buffer): Promise<readonly Buffer[] | undefined> {
  const cipher = await loadOldCipher();
  try {
    return readFile(bytes, cipher);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function readFile(bytes: Buffer, cipher: OldCipher): readonly Buffer[] {
  const outer = new DerReader(bytes);
  const file = outer.enter(TAG.sequence);
  if (!outer.empty || readInt64(file) !== 3n) throw new DerError('not version 3');
  const content = readContent(file.enter(TAG.sequence));
  if (content.type !== DATA) throw new DerError('not protected by a password');
  const safe = only(content.value, TAG.octetString);
  const password = findPassword(file.enter(TAG.sequence), safe, cipher);
  const parts: Buffer[] = [];
  const contents = new DerReader(only(safe, TAG.sequence));
  while (!contents.empty) parts.push(openPart(contents.enter(TAG.sequence), password, cipher));
  if (parts.length !== 2) throw new DerError('not exactly two parts');
  return parts.flatMap((part) => readBags(part, password, cipher));
}

/** `''` and no password at all are two things here; some programs write one, some the other. */
function findPassword(mac: DerReader, message: Buffer, cipher: OldCipher): '' | null {
  const digest = mac.enter(TAG.sequence);
  if (readAlgorithm(digest.enter(TAG.sequence)).oid !== SHA1) throw new DerError('MAC is not SHA-1');
  const expected = digest.read(TAG.octetString);
  const salt = mac.read(TAG.octetString);
  const iterations = mac.empty ? 1n : readInt64(mac);
  for (const password of ['', null] as const) {
    if (cipher.mac({ message, salt, iterations, password }).equals(expected)) return password;
  }
  throw new DerError('needs a password');
}

function readContent(reader: DerReader): { readonly type: string; readonly value: Buffer } {
  return { type: readOid(reader), value: reader.read(explicit(0)) };
}

function openPart(reader: DerReader, password: '' | null, cipher: OldCipher): Buffer {
  const { type, value } = readContent(reader);
  if (type === DATA) return only(value, TAG.octetString);
  if (type !== ENCRYPTED_DATA) throw new DerError('neither data nor encrypted data');
  const data = new DerReader(only(value, TAG.sequence));
  if (readInt64(data) !== 0n) throw new DerError('not version 0 of encrypted data');
  const info = data.enter(TAG.sequence);
  readOid(info);
  const algorithm = readAlgorithm(info.enter(TAG.sequence));
  return cipher.decrypt({ algorithm, password, data: info.read(0x80) });
}

/** Certificates in their order; keys must open, anything else is refused. */
function readBags(part: Buffer, password: '' | null, cipher: OldCipher): readonly Buffer[] {
  const bags = new DerReader(only(part, TAG.sequence));
  const certificates: Buffer[] = [];
  while (!bags.empty) {
    const bag = readContent(bags.enter(TAG.sequence));
    if (bag.type === CERT_BAG) certificates.push(readCertBag(new DerReader(only(bag.value, TAG.sequence))));
    else if (bag.type === KEY_BAG) openKey(new DerReader(only(bag.value, TAG.sequence)), password, cipher);
    else throw new DerError(`a bag of type ${bag.type}`);
  }
  return certificates;
}

function readCertBag(reader: DerReader): Buffer {
  const { type, value } = readContent(reader);
  if (type !== X509_CERTIFICATE) throw new DerError('not an X.509 certificate');
  return only(value, TAG.octetString);
}

function openKey(reader: DerReader, password: '' | null, cipher: OldCipher): void {
  const algorithm = readAlgorithm(reader.enter(TAG.sequence));
  const key = cipher.decrypt({ algorithm, password, data: reader.read(TAG.octetString) });
  if (!cipher.isUsualKey(key)) throw new DerError('neither an RSA nor an EC key');
}

/** The content of the one element that `bytes` must be. */
function only(bytes: Buffer, tag: number): Buffer {
  const reader = new DerReader(bytes);
  const content = reader.read(tag);
  if (!reader.empty) throw new DerError('trailing data');
  return content;
}

import { readAlgorithm } from './algorithm.ts';
import { context, DerError, DerReader, explicit, TAG } from './der.ts';
import { readTime } from './der-time.ts';
import { readBitString, readInt64, readInteger } from './der-values.ts';
import { nameText, readName } from './distinguished-text.ts';
import { readExtensions } from './extensions.ts';
import { type PublicKey, readKeyInfo, readPublicKey } from './public-key.ts';
import { type SignatureAlgorithm, signatureAlgorithm } from './signature-algorithm.ts';

/** A certificate as Go's `x509.ParseCertificate` accepts it. */
export interface Certificate {
  /** All of it. */
  readonly raw: Buffer;
  /** The signed part. */
  readonly signed: Buffer;
  readonly signature: Buffer;
  readonly signatureAlgorithm: SignatureAlgorithm | undefined;
  readonly publicKey: PublicKey;
  /** `CN=root, O=Example, C=US`. */
  readonly subject: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Basic constraints say so. */
  readonly isCA: boolean;
}

/** Parses exactly one certificate; `undefined` where Go refuses it. Signatures are not checked. */
export function parseCertificate(der: Buffer): Certificate | undefined {
  const certificates = parseCertificates(der);
  return certificates?.length === 1 ? certificates[0] : undefined;
}

/** Parses certificates one behind the other, nothing between or behind; `undefined` where Go refuses one. */
export function parseCertificates(der: Buffer): readonly Certificate[] | undefined {
  try {
    const reader = new DerReader(der);
    const certificates: Certificate[] = [];
    while (!reader.empty) certificates.push(readCertificate(reader.element(TAG.sequence).whole));
    return certificates;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function readCertificate(raw: Buffer): Certificate {
  const outer = new DerReader(raw).enter(TAG.sequence);
  const signed = outer.element(TAG.sequence).whole;
  const inner = new DerReader(signed).enter(TAG.sequence);
  const version = readVersion(inner);
  if (readInteger(inner) < 0n) throw new DerError('negative serial number');
  const algorithm = inner.read(TAG.sequence);
  if (!outer.read(TAG.sequence).equals(algorithm)) throw new DerError('two different signature algorithms');
  const signature = signatureAlgorithm(readAlgorithm(new DerReader(algorithm)));
  readName(inner.element(TAG.sequence).whole);
  const validity = inner.enter(TAG.sequence);
  const notBefore = readTime(validity);
  const notAfter = readTime(validity);
  const subject = nameText(readName(inner.element(TAG.sequence).whole));
  const publicKey = readCertifiedKey(inner.element(TAG.sequence).whole);
  const isCA = readTail(inner, version);
  const signatureBytes = readBitString(outer).aligned;
  return {
    raw,
    signed,
    signature: signatureBytes,
    signatureAlgorithm: signature,
    publicKey,
    subject,
    notBefore,
    notAfter,
    isCA,
  };
}

function readVersion(reader: DerReader): number {
  const wrapped = reader.optional(explicit(0));
  if (wrapped === undefined) return 1;
  const inside = new DerReader(wrapped);
  const version = readInt64(inside);
  if (!inside.empty || version < 0n || version > 2n) throw new DerError('malformed version');
  return Number(version) + 1;
}

/** In a certificate Go looks into RSA, EC, Ed25519 and DSA keys only. */
function readCertifiedKey(spki: Buffer): PublicKey {
  const info = readKeyInfo(spki);
  return info.kind === 'X25519' ? { kind: 'unknown', spki } : readPublicKey(info);
}

/** Unique identifiers and extensions. */
function readTail(reader: DerReader, version: number): boolean {
  if (version > 1) {
    reader.optional(context(1));
    reader.optional(context(2));
  }
  const extensions = version === 3 ? reader.optional(explicit(3)) : undefined;
  return extensions === undefined ? false : readExtensions(new DerReader(extensions).enter(TAG.sequence));
}

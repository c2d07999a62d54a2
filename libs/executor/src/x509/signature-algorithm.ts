import { type Algorithm, NULL_PARAMETERS, readAlgorithm } from './algorithm.ts';
import { DerError, DerReader, explicit, TAG } from './der.ts';
import { readInt64, readOid } from './der-values.ts';

/** A signature algorithm that Go verifies. */
export interface SignatureAlgorithm {
  readonly key: 'RSA' | 'ECDSA' | 'Ed25519';
  /** Absent for Ed25519, which hashes by itself. */
  readonly hash?: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  /** RSA-PSS with a salt as long as the hash. */
  readonly pss?: boolean;
}

/** The algorithm, or `undefined` for those that Go does not verify with: MD5, DSA, unusual PSS parameters, unknown ones. */
export function signatureAlgorithm(algorithm: Algorithm): SignatureAlgorithm | undefined {
  if (algorithm.oid === RSA_PSS) return pssAlgorithm(algorithm.parameters);
  if (algorithm.oid === ED25519 && algorithm.parameters.length !== 0) return undefined;
  return BY_OID.get(algorithm.oid);
}

const ED25519 = '1.3.101.112';
const RSA_PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';

const BY_OID: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['1.2.840.113549.1.1.5', { key: 'RSA', hash: 'sha1' }],
  ['1.3.14.3.2.29', { key: 'RSA', hash: 'sha1' }],
  ['1.2.840.113549.1.1.11', { key: 'RSA', hash: 'sha256' }],
  ['1.2.840.113549.1.1.12', { key: 'RSA', hash: 'sha384' }],
  ['1.2.840.113549.1.1.13', { key: 'RSA', hash: 'sha512' }],
  ['1.2.840.10045.4.1', { key: 'ECDSA', hash: 'sha1' }],
  ['1.2.840.10045.4.3.2', { key: 'ECDSA', hash: 'sha256' }],
  ['1.2.840.10045.4.3.3', { key: 'ECDSA', hash: 'sha384' }],
  ['1.2.840.10045.4.3.4', { key: 'ECDSA', hash: 'sha512' }],
  [ED25519, { key: 'Ed25519' }],
]);

/** Hash by object identifier, with the only salt length in bytes that Go takes. */
const PSS_HASHES: ReadonlyMap<string, readonly ['sha256' | 'sha384' | 'sha512', bigint]> = new Map([
  ['2.16.840.1.101.3.4.2.1', ['sha256', 32n]],
  ['2.16.840.1.101.3.4.2.2', ['sha384', 48n]],
  ['2.16.840.1.101.3.4.2.3', ['sha512', 64n]],
]);

function pssAlgorithm(parameters: Buffer): SignatureAlgorithm | undefined {
  try {
    return readPss(new DerReader(parameters).enter(TAG.sequence));
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function readPss(reader: DerReader): SignatureAlgorithm | undefined {
  const hash = readAlgorithm(reader.enter(explicit(0)).enter(TAG.sequence));
  const mask = reader.enter(explicit(1)).enter(TAG.sequence);
  const maskName = readOid(mask);
  const maskHash = readAlgorithm(mask.enter(TAG.sequence));
  const salt = readInt64(reader.enter(explicit(2)));
  const trailer = reader.optional(explicit(3));
  const [name, saltBytes] = PSS_HASHES.get(hash.oid) ?? [];
  const standard =
    maskName === MGF1 &&
    maskHash.oid === hash.oid &&
    [hash, maskHash].every(hasNoParameters) &&
    salt === saltBytes;
  const defaultTrailer = trailer === undefined || readInt64(new DerReader(trailer)) === 1n;
  return name !== undefined && standard && defaultTrailer ? { key: 'RSA', hash: name, pss: true } : undefined;
}

const hasNoParameters = ({ parameters }: Algorithm) =>
  parameters.length === 0 || parameters.equals(NULL_PARAMETERS);

import { type Algorithm, NULL_PARAMETERS, readAlgorithm } from './algorithm.ts';
import { isPointOn } from './curve.ts';
import { DerError, DerReader, TAG } from './der.ts';
import { readBitString, readInt64, readInteger, readOid } from './der-values.ts';

/** What kind of key Go makes of a subject public key info; `unknown` is kept without looking inside. */
export type KeyKind = 'RSA' | 'ECDSA' | 'Ed25519' | 'X25519' | 'DSA' | 'unknown';

/** A public key as far as this package needs it. */
export interface PublicKey {
  readonly kind: KeyKind;
  /** The whole subject public key info. */
  readonly spki: Buffer;
  /** RSA only: bits of the modulus. */
  readonly bits?: number;
  /** RSA only: whether Go would verify with it (odd modulus, odd exponent of 3 to 2^31-1). */
  readonly usable?: boolean;
}

const KINDS: ReadonlyMap<string, KeyKind> = new Map([
  ['1.2.840.113549.1.1.1', 'RSA'],
  ['1.2.840.10045.2.1', 'ECDSA'],
  ['1.3.101.112', 'Ed25519'],
  ['1.3.101.110', 'X25519'],
  ['1.2.840.10040.4.1', 'DSA'],
]);

/** The parts of a subject public key info before its key is looked at. */
export interface KeyInfo {
  readonly kind: KeyKind;
  readonly algorithm: Algorithm;
  readonly key: Buffer;
  readonly spki: Buffer;
}

/** Reads a subject public key info, given whole, without looking at the key. Throws {@link DerError}. */
export function readKeyInfo(spki: Buffer): KeyInfo {
  const reader = new DerReader(spki).enter(TAG.sequence);
  const algorithm = readAlgorithm(reader.enter(TAG.sequence));
  return { kind: KINDS.get(algorithm.oid) ?? 'unknown', algorithm, key: readBitString(reader).aligned, spki };
}

/** Checks the key itself. Throws {@link DerError} where Go refuses it. */
export function readPublicKey(info: KeyInfo): PublicKey {
  const { kind, algorithm, key, spki } = info;
  switch (kind) {
    case 'RSA': {
      requireKey(algorithm.parameters.equals(NULL_PARAMETERS), info);
      const { bits, usable } = readRsa(new DerReader(key));
      return { kind, spki, bits, usable };
    }
    case 'ECDSA':
      requireKey(isPointOn(readOid(new DerReader(algorithm.parameters)), key), info);
      break;
    case 'Ed25519':
    case 'X25519':
      requireKey(algorithm.parameters.length === 0 && key.length === 32, info);
      break;
    case 'DSA':
      checkDsa(algorithm, key);
      break;
    case 'unknown':
      break;
  }
  return { kind, spki };
}

function requireKey(valid: boolean, { kind }: KeyInfo): void {
  if (!valid) throw new DerError(`malformed ${kind} key`);
}

/** Parses a PKIX public key as Go does; `undefined` where Go refuses it, unknown algorithms included. */
export function parsePkixKey(der: Buffer): PublicKey | undefined {
  return attempt(() => {
    const reader = new DerReader(der);
    const whole = reader.element(TAG.sequence).whole;
    const key = readPublicKey(readKeyInfo(whole));
    return !reader.empty || key.kind === 'unknown' ? undefined : key;
  });
}

/** Parses a PKCS#1 RSA public key as Go does. */
export function parsePkcs1Key(der: Buffer): PublicKey | undefined {
  return attempt(() => {
    const reader = new DerReader(der);
    const whole = reader.element(TAG.sequence).whole;
    const rsa = readRsa(new DerReader(whole));
    if (!reader.empty || rsa.exponent > 2n ** 31n - 1n) return undefined;
    return { kind: 'RSA', spki: der, bits: rsa.bits, usable: rsa.usable };
  });
}

function readRsa(reader: DerReader): { bits: number; usable: boolean; exponent: bigint } {
  const key = reader.enter(TAG.sequence);
  const modulus = readInteger(key);
  const exponent = readInt64(key);
  if (modulus <= 0n || exponent <= 0n) throw new DerError('RSA key with a number that is not positive');
  const usable = modulus % 2n === 1n && exponent % 2n === 1n && exponent >= 2n && exponent <= 2n ** 31n - 1n;
  return { bits: modulus.toString(2).length, usable, exponent };
}

function checkDsa(algorithm: Algorithm, key: Buffer): void {
  const parameters = new DerReader(algorithm.parameters).enter(TAG.sequence);
  const numbers = [
    readInteger(new DerReader(key)),
    readInteger(parameters),
    readInteger(parameters),
    readInteger(parameters),
  ];
  if (numbers.some((number) => number <= 0n))
    throw new DerError('DSA key with a number that is not positive');
}

function attempt(parse: () => PublicKey | undefined): PublicKey | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

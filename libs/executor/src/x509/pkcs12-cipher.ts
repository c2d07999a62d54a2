import { createHmac, createPrivateKey } from 'node:crypto';
import type { asn1, cipher } from 'node-forge';
import type { Algorithm } from './algorithm.ts';
import { DerError, DerReader, TAG } from './der.ts';
import { readInt64 } from './der-values.ts';

/** A password, or the absence of one, which derives other keys. */
type Password = '' | null;

/** The algorithms of old PKCS#12 files. */
export interface OldCipher {
  /** HMAC over `message`. */
  mac(input: { message: Buffer; salt: Buffer; iterations: bigint; password: Password }): Buffer;
  /** Throws {@link DerError} for other algorithms and for a wrong password. */
  decrypt(input: { algorithm: Algorithm; password: Password; data: Buffer }): Buffer;
  /** Whether this PKCS#8 key is RSA or EC. */
  isUsualKey(pkcs8: Buffer): boolean;
}

/** The part of node-forge that its types leave out. */
interface WithPbe {
  readonly pbe: { getCipher(oid: string, parameters: asn1.Asn1, password: Password): cipher.BlockCipher };
}

/** Only these two: https://pkg.go.dev/golang.org/x/crypto/pkcs12 */
const ALGORITHMS: ReadonlySet<string> = new Set(['1.2.840.113549.1.12.1.3', '1.2.840.113549.1.12.1.6']);
/** More rounds than any program writes; they would only keep this process busy. */
const MAX_ITERATIONS = 1_000_000n;

/** Loads node-forge: OpenSSL 3 does not have RC2 without its legacy provider. */
export async function loadOldCipher(): Promise<OldCipher> {
  const { default: forge } = await import('node-forge');
  return {
    mac: ({ message, salt, iterations, password }) => {
      const bytes = forge.util.createBuffer(salt.toString('latin1'));
      const key = forge.pkcs12.generateKey(password, bytes, 3, rounds(iterations), 20);
      return createHmac('sha1', Buffer.from(key.getBytes(), 'latin1')).update(message).digest();
    },
    decrypt: ({ algorithm, password, data }) => {
      if (!ALGORITHMS.has(algorithm.oid)) throw new DerError(`algorithm ${algorithm.oid} is not supported`);
      const parameters = new DerReader(algorithm.parameters).enter(TAG.sequence);
      parameters.read(TAG.octetString);
      rounds(readInt64(parameters));
      const asn1 = forge.asn1.fromDer(algorithm.parameters.toString('latin1'));
      const cipher = (forge.pki as unknown as WithPbe).pbe.getCipher(algorithm.oid, asn1, password);
      cipher.update(forge.util.createBuffer(data.toString('latin1')));
      if (!cipher.finish()) throw new DerError('cannot be decrypted');
      return Buffer.from(cipher.output.getBytes(), 'latin1');
    },
    isUsualKey,
  };
}

function rounds(iterations: bigint): number {
  if (iterations > MAX_ITERATIONS) throw new DerError(`${iterations} iterations`);
  return Number(iterations);
}

function isUsualKey(pkcs8: Buffer): boolean {
  try {
    const { asymmetricKeyType } = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    return asymmetricKeyType === 'rsa' || asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}

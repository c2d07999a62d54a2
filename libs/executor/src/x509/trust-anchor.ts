import { constants, createPublicKey, verify } from 'node:crypto';
import type { Certificate } from './certificate.ts';

/** Below this size of an RSA modulus, in bits, Go does not verify: https://pkg.go.dev/crypto/rsa#hdr-Minimum_key_size. */
const MIN_RSA_BITS = 1024;

/**
 * Why notation refuses a certificate in a trust store, in words, or `undefined`: a CA passes unseen, any other one must
 * be signed by its own key. Dates and names are not looked at.
 */
export function whyNoTrustAnchor(certificate: Certificate): string | undefined {
  if (certificate.isCA) return undefined;
  const { signatureAlgorithm: algorithm, publicKey: key } = certificate;
  if (algorithm === undefined) return 'is no CA, and its signature algorithm is one that Go does not verify';
  if (algorithm.key !== key.kind) return 'is no CA, and its key does not fit its signature algorithm';
  if (key.kind === 'RSA' && (key.bits ?? 0) < MIN_RSA_BITS)
    return `is no CA, and its RSA key has only ${key.bits} bits`;
  if (key.usable === false || !signsItself(certificate)) return 'is no CA and not signed by itself';
  return undefined;
}

function signsItself({ signed, signature, publicKey, signatureAlgorithm }: Certificate): boolean {
  const pss = signatureAlgorithm?.pss === true;
  try {
    const key = createPublicKey({ key: publicKey.spki, format: 'der', type: 'spki' });
    const options = pss
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {};
    return verify(signatureAlgorithm?.hash ?? null, signed, { key, ...options }, signature);
  } catch {
    // OpenSSL throws for keys that it cannot use; a signature that cannot be checked is none.
    return false;
  }
}

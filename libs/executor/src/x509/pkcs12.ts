/**
 * The certificates of a PKCS#12 file that has an empty password and old algorithms, as DER; `undefined` where
 * Ratify's library refuses it. Loads node-forge on first use: OpenSSL 3 does not open these files.
 *
 * @see https://pkg.go.dev/golang.org/x/crypto/pkcs12#ToPEM
 */
export async function pkcs12Certificates(bytes: Buffer): Promise<readonly Buffer[] | undefined> {
  const { default: forge } = await import('node-forge');
  try {
    const asn1 = forge.asn1.fromDer(bytes.toString('latin1'));
    const file = forge.pkcs12.pkcs12FromAsn1(asn1, '');
    const oid = forge.pki.oids['certBag'];
    const bags = oid === undefined ? [] : (file.getBags({ bagType: oid })[oid] ?? []);
    return bags.map((bag) =>
      Buffer.from(forge.asn1.toDer(certificateOf(bag, forge.pki.certificateToAsn1)).getBytes(), 'latin1'),
    );
  } catch {
    // Whatever forge says, it does not open: junk, a password, a new algorithm, a broken certificate.
    return undefined;
  }
}

type Forge = typeof import('node-forge');
type Bag = import('node-forge').pkcs12.Bag;

/** forge keeps a certificate that it cannot read (an EC key) as ASN.1. */
function certificateOf(bag: Bag, encode: Forge['pki']['certificateToAsn1']): import('node-forge').asn1.Asn1 {
  if (bag.cert !== undefined && bag.cert !== null) return encode(bag.cert);
  return bag.asn1;
}

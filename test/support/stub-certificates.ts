import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** An authority of one day, and a certificate of it for `names`, as PEM. */
export function stubCertificates(names: readonly string[]): { ca: string; cert: string; key: string } {
  const authority = pair();
  const server = pair();
  const ca = issue({
    subject: 'stub-ca',
    publicKey: authority.publicKey,
    issuer: 'stub-ca',
    key: authority.privateKey,
  });
  const cert = issue({
    subject: 'stub',
    publicKey: server.publicKey,
    issuer: 'stub-ca',
    key: authority.privateKey,
    names,
  });
  return { ca, cert, key: server.privateKey };
}

function pair(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}

interface Issue {
  readonly subject: string;
  readonly publicKey: string;
  readonly issuer: string;
  readonly key: string;
  readonly names?: readonly string[];
}

function issue({ subject, publicKey, issuer, key, names }: Issue): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = names === undefined ? '01' : '02';
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  certificate.setSubject([{ name: 'commonName', value: subject }]);
  certificate.setIssuer([{ name: 'commonName', value: issuer }]);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: names === undefined, critical: true },
    ...(names === undefined
      ? []
      : [{ name: 'subjectAltName', altNames: names.map((name) => ({ type: 2, value: name })) }]),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

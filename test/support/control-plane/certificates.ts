import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { der } from './der.ts';

/** A certificate and its private key, both PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Whom a certificate is for. */
export interface CertificateRequest {
  readonly commonName: string;
  /** A client's groups. */
  readonly organizations?: readonly string[];
  /** A server's names and IPv4 addresses; without any it is a client's certificate. */
  readonly dnsNames?: readonly string[];
  readonly addresses?: readonly string[];
}

/** A certificate authority of one control plane. */
export interface Authority {
  /** PEM. */
  readonly certificate: string;
  readonly issue: (request: CertificateRequest) => KeyedCertificate;
}

const OIDS = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAlternativeName: '2.5.29.17',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
};

/** Makes an authority whose certificates hold from an hour before `now` to a week after. */
export function newAuthority(now: Date): Authority {
  const self = newKey();
  const name = { commonName: 'executor-status test authority' };
  const constraints = [
    extension(OIDS.basicConstraints, der.sequence(der.boolean(true)), true),
    // keyCertSign, the sixth bit.
    extension(OIDS.keyUsage, der.bits(Buffer.of(0b0000_0100), 2), true),
  ];
  const certify = (subject: CertificateRequest, publicKey: Buffer, extensions: readonly Buffer[]) =>
    certificate({ now, issuer: name, signer: self.private, subject, publicKey, extensions });
  return {
    certificate: certify(name, self.public, constraints),
    issue: (request) => {
      const key = newKey();
      return { certificate: certify(request, key.public, leafExtensions(request)), key: key.pem };
    },
  };
}

/** A new private key on the curve P-256, as PEM (SEC 1, the form that the API server reads): made in a millisecond, unlike RSA. */
export function newKeyPem(): string {
  return newKey().pem;
}

function newKey(): { private: KeyObject; public: Buffer; pem: string } {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  });
  return { private: createPrivateKey(pair.privateKey), public: pair.publicKey, pem: pair.privateKey };
}

function leafExtensions({ dnsNames = [], addresses = [] }: CertificateRequest): Buffer[] {
  const names = [
    ...dnsNames.map((name) => der.implicit(2, Buffer.from(name, 'ascii'))),
    ...addresses.map((address) => der.implicit(7, Buffer.from(address.split('.').map(Number)))),
  ];
  const usage = names.length > 0 ? OIDS.serverAuthentication : OIDS.clientAuthentication;
  return [
    extension(OIDS.extendedKeyUsage, der.sequence(der.oid(usage))),
    ...(names.length > 0 ? [extension(OIDS.subjectAlternativeName, der.sequence(...names))] : []),
  ];
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  return der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octets(value));
}

interface Content {
  readonly now: Date;
  readonly issuer: CertificateRequest;
  readonly signer: KeyObject;
  readonly subject: CertificateRequest;
  readonly publicKey: Buffer;
  readonly extensions: readonly Buffer[];
}

const HOUR_MS = 3_600_000;

function certificate({ now, issuer, signer, subject, publicKey, extensions }: Content): string {
  const algorithm = der.sequence(der.oid(OIDS.ecdsaWithSha256));
  const at = (shiftMs: number) => der.time(new Date(now.getTime() + shiftMs));
  // The first byte is fixed so that the number has neither a sign nor a leading zero.
  const serial = Buffer.concat([Buffer.of(0x40), randomBytes(15)]);
  const content = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(serial),
    algorithm,
    distinguishedName(issuer),
    der.sequence(at(-HOUR_MS), at(7 * 24 * HOUR_MS)),
    distinguishedName(subject),
    publicKey,
    der.explicit(3, der.sequence(...extensions)),
  );
  const signed = der.sequence(content, algorithm, der.bits(sign('sha256', content, signer)));
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName({ commonName, organizations = [] }: CertificateRequest): Buffer {
  const part = (oid: string, value: string) => der.set(der.sequence(der.oid(oid), der.text(value)));
  return der.sequence(
    ...organizations.map((organization) => part(OIDS.organization, organization)),
    part(OIDS.commonName, commonName),
  );
}

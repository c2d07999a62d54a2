import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { nextPem } from '../pem/pem.ts';
import { parseCertificate, parseCertificates } from './certificate.ts';
import { parsePkcs1Key, parsePkixKey } from './public-key.ts';
import { whyNoTrustAnchor } from './trust-anchor.ts';

const FIXTURES = new URL('../../../../test/fixtures/vectors/fixtures/', import.meta.url);

describe('parseCertificate', () => {
  const refused = ['root-brainpool', 'root-secp256k1', 'root-negserial', 'not-a-cert', 'empty-block'];
  for (const name of refused)
    it(`refuses ${name} as Go does`, () => expect(parseCertificate(pem(name))).to.equal(undefined));

  const taken = [
    'root-v1',
    'root-zeroserial',
    'root-p224',
    'root-dsa',
    'root-ed25519',
    'root-rsa512',
    'root-rsapss',
    'root-expired',
  ];
  for (const name of taken)
    it(`takes ${name} as Go does`, () => expect(parseCertificate(pem(name))).not.to.equal(undefined));

  it('reads subject, dates and the CA flag', () => {
    const certificate = parseCertificate(pem('root-p256'));
    expect(certificate?.subject).to.equal('CN=root-p256, O=Vectors, ST=WA, C=US');
    expect(certificate?.isCA).to.equal(true);
    expect(certificate?.notAfter.toISOString()).to.equal('2126-11-05T17:05:59.000Z');
  });

  it('refuses bytes behind the certificate', () => {
    expect(parseCertificate(Buffer.concat([pem('root-p256'), Buffer.from([0])]))).to.equal(undefined);
  });

  it('reads several, one behind the other', () => {
    expect(parseCertificates(readFileSync(new URL('two-roots.der', FIXTURES)))).to.have.length(2);
    expect(parseCertificates(Buffer.alloc(0))).to.deep.equal([]);
  });

  it('never throws, whichever byte is wrong', () => {
    const der = pem('root-rsa2048');
    for (let i = 0; i < der.length; i += 1) {
      for (const byte of [0, 0x30, 0x80, 0xff]) {
        const broken = Buffer.from(der);
        broken[i] = byte;
        expect(() => parseCertificate(broken)).not.to.throw();
      }
      expect(parseCertificate(der.subarray(0, i))).to.equal(undefined);
    }
  });
});

describe('whyNoTrustAnchor', () => {
  const anchors = [
    'root-p256',
    'root-corrupt-signature',
    'root-expired',
    'intermediate',
    'root-v1',
    'root-dsa',
    'selfsigned-leaf',
    'selfsigned-leaf-rsa',
    'selfsigned-leaf-rsa1024',
    'selfsigned-leaf-sha1',
    'selfsigned-leaf-ed25519',
    'selfsigned-leaf-expired',
    'selfsigned-nobc',
  ];
  for (const name of anchors) it(`takes ${name}`, () => expect(whyNo(name)).to.equal(undefined));

  const others = [
    'leaf',
    'leaf-rsa',
    'leaf-nobc',
    'selfsigned-leaf-corrupt-signature',
    'selfsigned-leaf-md5',
    'selfsigned-leaf-rsa512',
    'selfsigned-leaf-rsapss',
    'selfsigned-leaf-pssig',
    'selfsigned-leaf-dsa',
  ];
  for (const name of others)
    it(`refuses ${name} and says why`, () => expect(whyNo(name)).to.match(/^is no CA/));
});

describe('public keys', () => {
  const pkix = readdirSync(new URL('keys/', FIXTURES));
  it('are parsed as the recorded verdicts say', () => {
    const taken = pkix.filter((name) => /^(?:p|rsa|x25519|dsa|ed25519)/.test(name));
    expect(taken.length).to.be.above(5);
    expect(parsePkixKey(key('p256.pub'))?.kind).to.equal('ECDSA');
    expect(parsePkixKey(key('x25519.pub'))?.kind).to.equal('X25519');
    expect(parsePkixKey(key('rsapss.pub'))).to.equal(undefined);
    expect(parsePkixKey(key('rsa2048-pkcs1-under-plain-label.pub'))).to.equal(undefined);
    expect(parsePkcs1Key(key('rsa2048-pkcs1-under-plain-label.pub'))?.kind).to.equal('RSA');
  });
});

function whyNo(name: string): string | undefined {
  const certificate = parseCertificate(pem(name));
  return certificate === undefined ? 'does not parse' : whyNoTrustAnchor(certificate);
}

function pem(name: string): Buffer {
  return block(`${name}.pem`);
}

function key(name: string): Buffer {
  return block(`keys/${name}`);
}

function block(file: string): Buffer {
  const { block: found } = nextPem(readFileSync(new URL(file, FIXTURES)).toString('latin1'));
  if (found === undefined) throw new Error(`no PEM block in ${file}`);
  return found.bytes;
}

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseCertificate } from './certificate.ts';
import { pkcs12Certificates } from './pkcs12.ts';

const FIXTURES = new URL('../../../../test/fixtures/', import.meta.url);

describe('pkcs12Certificates', () => {
  for (const [file, subject] of [
    ['key-vault/old-rsa.p12', 'CN=p12, O=Vectors, ST=WA, C=US'],
    ['key-vault/old-ec.p12', 'CN=p12ec, O=Vectors, ST=WA, C=US'],
  ] as const) {
    it(`opens ${file}`, async () => {
      const certificates = await pkcs12Certificates(readFileSync(new URL(file, FIXTURES)));
      expect(certificates?.map((der) => parseCertificate(der)?.subject)).to.deep.equal([subject]);
    });
  }

  for (const file of [
    'key-vault/password.p12',
    'key-vault/new-algorithms.p12',
    'key-vault/no-mac.p12',
    'key-vault/certificate-only.p12',
    'key-vault/ed25519.p12',
    'vectors/fixtures/root.p12',
    'vectors/fixtures/root-p256.der',
  ]) {
    it(`refuses ${file}, as Ratify's library does`, async () => {
      expect(await pkcs12Certificates(readFileSync(new URL(file, FIXTURES)))).to.equal(undefined);
    });
  }

  it('refuses what is cut or broken', async () => {
    const file = readFileSync(new URL('key-vault/old-ec.p12', FIXTURES));
    for (let length = 0; length < file.length; length += 37) {
      expect(await pkcs12Certificates(file.subarray(0, length))).to.equal(undefined);
    }
    const broken = Buffer.from(file);
    broken[300] = (broken[300] ?? 0) ^ 1;
    expect(await pkcs12Certificates(broken)).to.equal(undefined);
  });
});

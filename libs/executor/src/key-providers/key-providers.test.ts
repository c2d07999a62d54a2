import { expect } from 'chai';
import { emptyEnvironment, fixture, fixturePath } from '../../../../test/support/executor-specs.ts';
import { recordedKeyVault } from '../../../../test/support/recorded-key-vault.ts';
import { BuildNotes } from '../build/build-notes.ts';
import type { Environment } from '../environment.ts';
import { Fault } from '../faults/fault.ts';
import { podEnvironment } from '../pod/pod-environment.ts';
import { createKeyProvider } from './create-key-provider.ts';

interface Case {
  readonly name: string;
  readonly options: unknown;
  /** Certificates and keys, or the fault. */
  readonly want: string;
}

describe('inline', () => {
  const root = fixture('root-p256.pem');
  const key = fixture('keys/p256.pub');
  const cases: Record<string, Omit<Case, 'name'>> = {
    'takes certificates and keys': { options: { certs: root, keys: key }, want: '1 certificates, 1 keys' },
    'takes several': { options: { certs: fixture('two-roots.pem') }, want: '2 certificates, 0 keys' },
    'takes nothing': { options: {}, want: '0 certificates, 0 keys' },
    'takes null': { options: null, want: '0 certificates, 0 keys' },
    'trims as Go does': { options: { certs: `\u00a0${root}\u2028` }, want: '1 certificates, 0 keys' },
    'does not trim a byte order mark': {
      options: { certs: `${root}\ufeff` },
      want: 'InlineCertsTrailingData p.certs',
    },
    'refuses text': { options: { certs: 'hello' }, want: 'InlineCertsNotPem p.certs' },
    'refuses blank text': { options: { certs: ' \n' }, want: 'InlineCertsNone p.certs' },
    'refuses a comment behind': {
      options: { certs: `${root}# end` },
      want: 'InlineCertsTrailingData p.certs',
    },
    'refuses a broken second block': {
      options: { certs: root + root.slice(0, 90) },
      want: 'InlineCertsTrailingData p.certs',
    },
    'refuses keys where certificates belong': { options: { certs: key }, want: 'InlineCertsNone p.certs' },
    'refuses a certificate that Go refuses': {
      options: { certs: fixture('root-secp256k1.pem') },
      want: 'InlineCertInvalid p.certs',
    },
    'refuses bad certificates before bad keys': {
      options: { certs: 'x', keys: 'x' },
      want: 'InlineCertsNotPem p.certs',
    },
    'refuses bad keys': { options: { certs: root, keys: 'x' }, want: 'InlineKeysNotPem p.keys' },
    'refuses certificates where keys belong': { options: { keys: root }, want: 'InlineKeysNone p.keys' },
    'takes PKCS#1 under its label': {
      options: {
        keys: fixture('keys/rsa2048-pkcs1-under-plain-label.pub').replaceAll('PUBLIC', 'RSA PUBLIC'),
      },
      want: '0 certificates, 1 keys',
    },
    'refuses PKCS#1 under another label': {
      options: { keys: fixture('keys/rsa2048-pkcs1-under-plain-label.pub') },
      want: 'InlineKeyInvalid p.keys',
    },
    'refuses bare PEM text': { options: root, want: 'KeyProviderOptionsType p' },
    'refuses a list of texts': { options: { certs: [root] }, want: 'KeyProviderOptionsType p.certs' },
    'says which spelling gave the text': { options: { CERTS: 'x' }, want: 'InlineCertsNotPem p.CERTS' },
  };
  run('inline', cases, emptyEnvironment());

  it('says which block is wrong (B11)', async () => {
    const certs = root + fixture('root-p384.pem') + fixture('root-secp256k1.pem');
    const { error } = await create({ name: 'inline', options: { certs }, want: '' }, emptyEnvironment());
    expect(error?.found).to.equal('block 3 (CERTIFICATE) does not parse');
  });
});

describe('files', () => {
  const options = (...names: string[]) => names.map((name) => fixturePath(name));
  const cases: Record<string, Omit<Case, 'name'>> = {
    'reads PEM and DER': {
      options: options('two-roots.pem', 'root-p256.der', 'two-roots.der'),
      want: '5 certificates, 0 keys',
    },
    'reads a folder': { options: options('dir-good'), want: '3 certificates, 0 keys' },
    'reads a mounted ConfigMap': { options: options('mount'), want: '1 certificates, 0 keys' },
    'takes any label': { options: options('root-trusted-label.pem'), want: '1 certificates, 0 keys' },
    'takes an empty file': { options: options('empty.pem'), want: '0 certificates, 0 keys' },
    'takes text behind the last block': {
      options: options('root-trailing-garbage.pem'),
      want: '1 certificates, 0 keys',
    },
    'skips what is missing': {
      options: [...options('root-p256.pem'), '/nope', '', '~/x', '$HOME'],
      want: '1 certificates, 0 keys',
    },
    'refuses a key beside certificates': {
      options: options('root-then-private.pem'),
      want: 'FileCertificateInvalid p[0]',
    },
    'refuses a folder with anything else in it': {
      options: options('dir-good', 'dir-mixed'),
      want: 'FileCertificateInvalid p[1]',
    },
    'refuses text': { options: options('text.pem'), want: 'FileCertificateInvalid p[0]' },
    'refuses blank text': { options: options('blank.pem'), want: 'FileCertificateInvalid p[0]' },
    'refuses bytes behind DER': {
      options: options('root-trailing.der'),
      want: 'FileCertificateInvalid p[0]',
    },
    'wants paths': { options: [], want: 'FilesPathsMissing p' },
    'wants paths, not null': { options: null, want: 'FilesPathsMissing p' },
    'wants a list': { options: '/x', want: 'KeyProviderOptionsType p' },
    'wants texts': { options: ['/x', 5], want: 'KeyProviderOptionsType p[1]' },
  };
  run('files', cases, podEnvironment({ variables: {} }));

  it('names the file also at the end of a long path (B11)', async () => {
    const path = `/usr/local/${'notation/'.repeat(20)}broken.crt`;
    const environment = emptyEnvironment({
      walk: () => Promise.resolve({ files: [{ path, realPath: path }], watched: [path] }),
      readFile: () => Promise.resolve(Buffer.from('junk')),
    });
    const { error } = await create({ name: 'files', options: ['/usr/local'], want: '' }, environment);
    expect(error?.found).to.match(/^"….{40,60}\/broken\.crt" is neither PEM nor DER of certificates$/);
  });

  it('shows no secret that stands in a path, and no line break (WP-10)', async () => {
    for (const path of [
      `https://user:hunter2@${'x/'.repeat(40)}a`,
      `/a\n${'-'.repeat(5)}BEGIN X-----\nhunter2`,
    ]) {
      const { notes } = await create({ name: 'files', options: [path], want: '' }, emptyEnvironment());
      expect(notes.warnings).to.have.length(1);
      expect(JSON.stringify(notes.warnings)).not.to.match(/hunter/);
    }
  });

  it('says when a file cannot be read, and why', async () => {
    const walk = () => Promise.resolve({ files: [{ path: '/x', realPath: '/x' }], watched: ['/x'] });
    const readFile = () => Promise.reject(new Error('EACCES: permission denied'));
    const { error } = await create(
      { name: 'files', options: ['/x'], want: '' },
      emptyEnvironment({ walk, readFile }),
    );
    expect([error?.code, error?.found, String(error?.cause)]).to.deep.equal([
      'FileCertificateInvalid',
      '"/x" cannot be read',
      'Error: EACCES: permission denied',
    ]);
  });

  it('notes what to watch, missing paths too', async () => {
    const { notes } = await create(
      { name: 'files', options: ['/nope'], want: '' },
      podEnvironment({ variables: {} }),
    );
    expect(notes.files).to.deep.equal(['/nope']);
  });
});

describe('azurekeyvault', () => {
  const vault = (fields: object) => ({ vaultURL: 'https://v.vault.azure.net', ...fields });
  const objects = {
    leaf: 'secret with a PEM chain that starts with a leaf',
    p12: 'PKCS#12 secret, old algorithms, key plus self-signed certificate',
    'p12-junk': 'PKCS#12 secret that is not base64',
    'pem-junk': 'PEM secret without any PEM block',
    text: 'secret with content type text/plain',
    'k-p521': 'EC P-521 key',
    'k-rsa1024': 'RSA 1024 key',
    'k-noattr': 'answer without attributes',
    'k-nokey': 'answer without key data',
  };
  const names = (...list: string[]) => list.map((name) => ({ name }));
  const cases: Record<string, Omit<Case, 'name'>> = {
    'fetches certificates and keys': {
      options: vault({ certificates: names('c', 'p12'), keys: names('k', 'k-p521') }),
      want: '2 certificates, 2 keys',
    },
    'takes a chain': { options: vault({ certificates: names('leaf') }), want: '3 certificates, 0 keys' },
    'wants an address': { options: { certificates: names('c') }, want: 'KeyVaultUrlMissing p.vaultURL' },
    'wants something to fetch': { options: vault({}), want: 'KeyVaultNothingRequested p.certificates' },
    'wants a name when its turn comes': {
      options: vault({ certificates: [{ name: 'c' }, {}] }),
      want: 'KeyVaultObjectNameMissing p.certificates[1].name',
    },
    'wants a name before a good address': {
      options: { vaultURL: 'x', keys: [{}] },
      want: 'KeyVaultObjectNameMissing p.keys[0].name',
    },
    'refuses http': {
      options: vault({ vaultURL: 'http://v', certificates: names('c') }),
      want: 'KeyVaultUrlInvalid p.vaultURL',
    },
    'refuses a name as address': {
      options: vault({ vaultURL: 'v', keys: names('k') }),
      want: 'KeyVaultUrlInvalid p.vaultURL',
    },
    'takes an address that makes the path its host': {
      options: vault({ vaultURL: 'https://', keys: names('k') }),
      want: '0 certificates, 1 keys',
    },
    'refuses what is forbidden': {
      options: vault({ certificates: names('forbidden') }),
      want: 'KeyVaultFetchFailed p',
    },
    'refuses a missing key': { options: vault({ keys: names('missing') }), want: 'KeyVaultFetchFailed p' },
    'refuses another content type': {
      options: vault({ certificates: names('text') }),
      want: 'KeyVaultContentTypeInvalid p',
    },
    'refuses PKCS#12 that is no base64': {
      options: vault({ certificates: names('p12-junk') }),
      want: 'KeyVaultCertificateInvalid p',
    },
    'refuses PEM without certificates': {
      options: vault({ certificates: names('pem-junk') }),
      want: 'KeyVaultCertificateInvalid p',
    },
    'refuses a small RSA key': { options: vault({ keys: names('k-rsa1024') }), want: 'KeyVaultKeyInvalid p' },
    'refuses a key without data': {
      options: vault({ keys: names('k-nokey') }),
      want: 'KeyVaultKeyInvalid p',
    },
    'says that Ratify panics without attributes': {
      options: vault({ keys: names('k-noattr') }),
      want: 'KeyVaultPanic p',
    },
    'refuses a wrong type before it asks': {
      options: vault({ certificates: [{ name: 'forbidden', version: 5 }] }),
      want: 'KeyProviderOptionsType p.certificates[0].version',
    },
  };
  run('azurekeyvault', cases, emptyEnvironment({ keyVault: recordedKeyVault(objects) }));

  const answers: Record<string, { key?: object; secret?: object; want: string }> = {
    'a secret without a content type makes Ratify panic': { secret: { value: 'x' }, want: 'KeyVaultPanic' },
    'a PEM secret without a value makes Ratify panic': {
      secret: { contentType: 'application/x-pem-file' },
      want: 'KeyVaultPanic',
    },
    'a PKCS#12 secret without a value is refused': {
      secret: { contentType: 'application/x-pkcs12' },
      want: 'KeyVaultCertificateInvalid',
    },
    'a disabled key is refused (B11)': { key: { enabled: false, jwk: {} }, want: 'KeyVaultKeyDisabled' },
    'a key without a type is refused': { key: { enabled: true, jwk: {} }, want: 'KeyVaultKeyInvalid' },
    'a symmetric key is refused': {
      key: { enabled: true, jwk: { kty: 'oct', k: 'AA' } },
      want: 'KeyVaultKeyInvalid',
    },
    'a key on another curve is refused': {
      key: { enabled: true, jwk: { kty: 'EC', crv: 'P-256K', x: 'AA', y: 'AA' } },
      want: 'KeyVaultKeyInvalid',
    },
    'a point that is not on its curve is refused': {
      key: { enabled: true, jwk: { kty: 'EC-HSM', crv: 'P-256', x: 'AA', y: 'AA' } },
      want: 'KeyVaultKeyInvalid',
    },
  };
  for (const [name, { key, secret, want }] of Object.entries(answers)) {
    it(name, async () => {
      const keyVault = { secret: () => Promise.resolve(secret ?? {}), key: () => Promise.resolve(key ?? {}) };
      const options = vault(key === undefined ? { certificates: names('x') } : { keys: names('x') });
      const { error } = await create(
        { name: 'azurekeyvault', options, want },
        emptyEnvironment({ keyVault }),
      );
      expect(error?.code).to.equal(want);
      expect(error?.found).to.include('"x"');
    });
  }

  it('names object and version as source of what it loaded', async () => {
    const keyVault = {
      secret: () =>
        Promise.resolve({
          contentType: 'application/x-pem-file',
          value: fixture('root-p256.pem'),
          version: 'v7',
        }),
      key: () => Promise.resolve({}),
    };
    const options = vault({ certificates: names('c') });
    const { notes } = await create(
      { name: 'azurekeyvault', options, want: '' },
      emptyEnvironment({ keyVault }),
    );
    expect(notes.material).to.deep.include.members([
      {
        path: 'p.certificates[0]',
        source: 'secret c/v7 of https://v.vault.azure.net',
        sha256: notes.material[0]?.sha256,
        notAfter: '2126-11-05T17:05:59Z',
      },
    ]);
  });
});

it('there is no other key provider, and case counts', async () => {
  for (const name of ['Inline', 'file', 'azureKeyVault', '', 'constructor']) {
    const { error } = await create({ name, options: {}, want: '' }, emptyEnvironment());
    expect(error?.code).to.equal('UnknownKeyProvider');
  }
});

function run(name: string, cases: Record<string, Omit<Case, 'name'>>, environment: Environment): void {
  for (const [title, { options, want }] of Object.entries(cases)) {
    it(title, async () => expect((await create({ name, options, want }, environment)).text).to.equal(want));
  }
}

async function create({ name, options }: Case, environment: Environment) {
  const notes = new BuildNotes();
  const context = { environment, notes, signal: new AbortController().signal };
  try {
    const { certificates, keys } = await createKeyProvider(name, { path: 'p', value: options }, context);
    return { text: `${certificates.length} certificates, ${keys} keys`, notes };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { text: `${error.code} ${error.path}`, error, notes };
  }
}

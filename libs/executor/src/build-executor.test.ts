import { expect } from 'chai';
import {
  cosign,
  emptyEnvironment,
  fixture,
  goodSpec,
  member,
  notation,
  store,
} from '../../../test/support/executor-specs.ts';
import { buildExecutor } from './build-executor.ts';
import { ProviderError } from './provider-error.ts';

const KEYS = { inline: { keys: fixture('keys/p256.pub') } };

describe('buildExecutor', () => {
  it('says Built, without warnings, of a spec that is as meant', async () => {
    const { succeeded, reason, warnings, error } = await build(goodSpec());
    expect({ succeeded, reason, warnings, error }).to.deep.equal({
      succeeded: true,
      reason: 'Built',
      warnings: [],
      error: undefined,
    });
  });

  const faults: Record<string, { spec: unknown; want: string }> = {
    'wants a spec': { spec: undefined, want: 'VerifiersMissing spec.verifiers' },
    'wants verifiers before stores': { spec: {}, want: 'VerifiersMissing spec.verifiers' },
    'wants verifiers before scopes when they are null': {
      spec: goodSpec({ verifiers: null, scopes: [] }),
      want: 'VerifiersMissing spec.verifiers',
    },
    'wants scopes before verifiers when both are empty': {
      spec: goodSpec({ verifiers: [], scopes: [] }),
      want: 'ScopesMissing spec.scopes',
    },
    'refuses null among the verifiers': {
      spec: goodSpec({ verifiers: [null] }),
      want: 'NullListItem spec.verifiers[0]',
    },
    'names the first wrong type': {
      spec: goodSpec({ concurrency: 'x', scopes: 5 }),
      want: 'SpecFieldType spec.concurrency',
    },
    'knows no other verifier': {
      spec: goodSpec({ verifiers: [{ name: 'a', type: 'Notation' }] }),
      want: 'UnknownVerifierType spec.verifiers[0].type',
    },
    'wants a name before a type': {
      spec: goodSpec({ verifiers: [{}] }),
      want: 'VerifierNameOrTypeMissing spec.verifiers[0].name',
    },
    'looks at verifiers before stores': {
      spec: goodSpec({ verifiers: [notation({ certificates: [] })], stores: [{ type: 'x' }] }),
      want: 'NotationCertificatesMissing spec.verifiers[0].parameters.certificates',
    },
    'looks at stores before scopes': {
      spec: goodSpec({ stores: [{ type: 'x' }], scopes: ['a b'] }),
      want: 'UnknownStoreType spec.stores[0].type',
    },
    'looks at scopes before the policy': {
      spec: goodSpec({ scopes: ['a b'], policyEnforcer: {} }),
      want: 'ScopeInvalid spec.scopes[0]',
    },
    'looks at the policy before doubles': {
      spec: goodSpec({ scopes: ['a', 'a'], policyEnforcer: {} }),
      want: 'PolicyTypeMissing spec.policyEnforcer.type',
    },
    'finds doubles last': { spec: goodSpec({ scopes: ['a', 'a'] }), want: 'ScopeDuplicate spec.scopes[1]' },
    'wants one store': { spec: goodSpec({ stores: [{}, {}] }), want: 'StoresNeedScopes spec.stores' },
  };
  for (const [name, { spec, want }] of Object.entries(faults)) {
    it(name, async () => {
      const { code, path, reason, retryable } = await build(spec);
      expect(`${code} ${path}`).to.equal(want);
      expect({ reason, retryable }).to.deep.equal({ reason: 'ConfigInvalid', retryable: false });
    });
  }

  it('says that a fault blocks the set only when Ratify stores the spec (WP-8)', async () => {
    const blocks = async (spec: unknown) => (await build(spec)).blocksSet;
    expect(await blocks(goodSpec({ scopes: [] }))).to.equal(true);
    expect(await blocks(goodSpec({ verifiers: [] }))).to.equal(true);
    expect(await blocks(goodSpec({ verifiers: null }))).to.equal(false);
    expect(await blocks(goodSpec({ verifiers: [null] }))).to.equal(false);
    expect(await blocks(goodSpec({ scopes: 5 }))).to.equal(false);
    expect(await blocks(goodSpec())).to.equal(false);
  });

  it('says code, place, finding, expectation and next step (WP-9)', async () => {
    const { error, briefError } = await build(goodSpec({ scopes: ['a b'] }));
    expect(error).to.match(
      /^ScopeInvalid: "a b" has a blank .*, at spec\.scopes\[0\]; expected a registry .*\. Write the scope/,
    );
    expect(briefError).to.match(
      /^"a b" has a blank or control character \(ScopeInvalid at spec\.scopes\[0\]\)$/,
    );
  });

  it('puts the root cause first in the brief error, and the chain into the error (WP-11)', async () => {
    const cause = new ProviderError('getaddrinfo ENOTFOUND v.example', { reason: 'ProviderUnreachable' });
    const fails = () => Promise.reject(cause);
    const outcome = await build(vaultSpec(), { keyVault: { secret: fails, key: fails } });
    expect(outcome.briefError).to.match(
      /^getaddrinfo ENOTFOUND v\.example \(KeyVaultFetchFailed at spec\.verifiers/,
    );
    expect(outcome.error).to.include('could not be fetched from "https://v.example", at spec.verifiers[0]');
    expect(outcome.error).to.include(': getaddrinfo ENOTFOUND v.example; expected');
    expect(outcome).to.include({ reason: 'ProviderUnreachable', retryable: true, blocksSet: true });
  });

  it('takes for lasting only what the spec or a file of this pod says (WP-6)', async () => {
    const retryable = async (spec: object, secret: () => Promise<object>) =>
      (await build(spec, { keyVault: { secret, key: secret } })).retryable;
    const refused = (reason: 'CredentialsInvalid' | 'IdentityNotInjected') => () =>
      Promise.reject(new ProviderError('HTTP 404', { reason }));
    expect(await retryable(vaultSpec(), refused('CredentialsInvalid')), 'a missing version').to.equal(true);
    expect(await retryable(vaultSpec(), refused('IdentityNotInjected')), 'no identity').to.equal(true);
    const junk = async () => ({ contentType: 'application/x-pem-file', value: 'junk' });
    expect(await retryable(vaultSpec(), junk), 'content of the vault').to.equal(true);
    const noType = async () => ({ value: 'junk' });
    expect(await retryable(vaultSpec(), noType), 'ConfigInvalid: Ratify panics').to.equal(false);
    const walk = () => Promise.resolve({ files: [{ path: '/x', realPath: '/x' }], watched: ['/x'] });
    const spec = goodSpec({ verifiers: [notation({ certificates: [{ files: ['/x'] }] })] });
    const readFile = () => Promise.resolve(Buffer.from('junk'));
    expect(await build(spec, { walk, readFile })).to.include({
      reason: 'CredentialsInvalid',
      retryable: false,
    });
  });

  it('passes on what a provider asks to wait', async () => {
    const cause = new ProviderError('HTTP 429', { reason: 'ProviderThrottled', retryAfterMs: 7_000 });
    const fails = () => Promise.reject(cause);
    const outcome = await build(vaultSpec(), { keyVault: { secret: fails, key: fails } });
    expect(outcome).to.include({ reason: 'ProviderThrottled', retryable: true, retryAfterMs: 7_000 });
  });

  it('ends at its deadline, whatever hangs', async () => {
    const hangs = () => new Promise<never>(() => undefined);
    const outcome = await build(vaultSpec(), { keyVault: { secret: hangs, key: hangs }, deadlineMs: 20 });
    expect(outcome).to.include({ reason: 'BuildTimedOut', retryable: true, blocksSet: true });
  });

  const hanging: Record<string, { spec: object; what: string; path: string }> = {
    'a key vault': {
      spec: vaultSpec(),
      what: 'the secret "c" of "https://v.example"',
      path: 'spec.verifiers[0].parameters.certificates[0].azurekeyvault',
    },
    'the Sigstore root': {
      spec: goodSpec({ verifiers: [cosign({})] }),
      what: 'the Sigstore root',
      path: 'spec.verifiers[0].parameters.trustPolicies[0]',
    },
    'a file system': {
      spec: goodSpec({ verifiers: [notation({ certificates: [{ files: ['/slow'] }] })] }),
      what: 'the files below "/slow"',
      path: 'spec.verifiers[0].parameters.certificates[0].files[0]',
    },
  };
  for (const [name, { spec, what, path }] of Object.entries(hanging)) {
    it(`says where it waited for ${name} at its deadline, and what to do (WP-9)`, async () => {
      const hangs = () => new Promise<never>(() => undefined);
      const outcome = await build(spec, {
        keyVault: { secret: hangs, key: hangs },
        sigstoreRoot: { fetch: hangs },
        walk: hangs,
        deadlineMs: 20,
      });
      expect(outcome.path).to.equal(path);
      expect(outcome.error).to.equal(
        `BuildTimedOut: no answer yet for ${what}, at ${path}: the build did not end within 20 ms; expected an answer before the deadline. Nothing to do if it passes: it is tried again. Else look at the network or the disk of this pod, or raise --build-deadline.`,
      );
      expect(outcome.briefError).to.include(`no answer yet for ${what}`);
    });
  }

  it('tells what hangs that nobody waits any more', async () => {
    let told: unknown;
    const hangs = (_: unknown, signal: AbortSignal) =>
      new Promise<never>(() => signal.addEventListener('abort', () => (told = signal.reason)));
    await build(vaultSpec(), { keyVault: { secret: hangs, key: hangs }, deadlineMs: 20 });
    expect(told).to.be.instanceOf(Error);
  });

  it('ends when it is called off, also before it began', async () => {
    const outcome = await build(goodSpec(), { signal: AbortSignal.abort() });
    expect(outcome).to.include({ reason: 'BuildTimedOut', succeeded: false });
  });

  it('turns a bug of its own surroundings into an outcome', async () => {
    const walk = () => Promise.reject(new TypeError('boom'));
    const outcome = await build(goodSpec({ verifiers: [notation({ certificates: [{ files: ['/x'] }] })] }), {
      walk,
    });
    expect(outcome).to.include({
      reason: 'BuildFailed',
      retryable: true,
      error: 'boom',
      briefError: 'boom',
    });
  });
});

describe('warnings', () => {
  const cases: Record<string, { spec: object; want: string[] }> = {
    'of no policy': { spec: goodSpec({ policyEnforcer: null }), want: ['PolicyMissing spec.policyEnforcer'] },
    'of a policy rule for a verifier that is not there': {
      spec: goodSpec({ policyEnforcer: policy({ rules: [{ verifierName: 'who' }] }) }),
      want: ['PolicyVerifierUnknown spec.policyEnforcer.parameters.policy.rules[0].verifierName'],
    },
    'of a threshold that is a fraction': {
      spec: goodSpec({ policyEnforcer: policy({ threshold: 1.9, rules: [{ verifierName: 'n1' }] }) }),
      want: ['ThresholdFraction spec.policyEnforcer.parameters.policy.threshold'],
    },
    'of two verifiers with one name': {
      spec: goodSpec({ verifiers: [notation({}), notation({})] }),
      want: ['VerifierNameDuplicate spec.verifiers[1].name'],
    },
    'of a trust store without certificates': {
      spec: goodSpec({ verifiers: [notation({ certificates: [{}, { type: 'tsa', inline: {} }] })] }),
      want: [
        'TrustStoreEmpty spec.verifiers[0].parameters.certificates[0]',
        'TrustStoreEmpty spec.verifiers[0].parameters.certificates[1]',
      ],
    },
    'of an expired certificate': {
      spec: inlineSpec('root-expired.pem'),
      want: ['CertificateExpired spec.verifiers[0].parameters.certificates[0].inline.certs'],
    },
    'of a certificate that is not valid yet': {
      spec: inlineSpec('root-notyet.pem'),
      want: ['CertificateNotYetValid spec.verifiers[0].parameters.certificates[0].inline.certs'],
    },
    'of a private key beside a certificate': {
      spec: inlineSpec('root-then-private.pem'),
      want: ['PrivateKeyInSpec spec.verifiers[0].parameters.certificates[0].inline'],
    },
    'of a missing file': {
      spec: goodSpec({ verifiers: [notation({ certificates: [{ files: ['/nope'] }] })] }),
      want: [
        'FilesPathMissing spec.verifiers[0].parameters.certificates[0].files[0]',
        'TrustStoreEmpty spec.verifiers[0].parameters.certificates[0]',
      ],
    },
    'of an identity with a foreign prefix': {
      spec: goodSpec({ verifiers: [notation({ trustedIdentities: ['did:web:x'] })] }),
      want: ['IdentityPrefixUnknown spec.verifiers[0].parameters.trustedIdentities[0]'],
    },
    'of an ended certificate among the CAs of a store': {
      spec: goodSpec({ stores: [store({ caPem: fixture('root-expired.pem') })] }),
      want: ['CertificateExpired spec.stores[0].parameters.caPem'],
    },
    'of odd scopes of a cosign trust policy': {
      spec: goodSpec({
        verifiers: [cosign({ keys: KEYS, scopes: ['registry.example/app:', 'A.Example,b'] })],
      }),
      want: [
        'ScopeNeverMatches spec.verifiers[0].parameters.trustPolicies[0].scopes[0]',
        'ScopeUnusual spec.verifiers[0].parameters.trustPolicies[0].scopes[1]',
      ],
    },
    'of misspelt names in the tree of a policy, where spelling counts': {
      spec: goodSpec({
        policyEnforcer: {
          type: 'threshold-policy',
          parameters: {
            Policy: 1,
            policy: { Threshold: 1, rules: [{ verifierName: 'n1', VerifierName: 'x' }] },
          },
        },
      }),
      want: [
        'FieldIgnored spec.policyEnforcer.parameters.Policy',
        'FieldIgnored spec.policyEnforcer.parameters.policy.Threshold',
        'FieldIgnored spec.policyEnforcer.parameters.policy.rules[0].VerifierName',
      ],
    },
    'of a field that Ratify ignores, at any depth': {
      spec: goodSpec({ verifiers: [cosign({ keys: KEYS, certificateIdentityRegexp: 'x' })] }),
      want: ['FieldIgnored spec.verifiers[0].parameters.trustPolicies[0].certificateIdentityRegexp'],
    },
    'of a field in another spelling': {
      spec: goodSpec({ stores: [store({ plainHTTP: true })] }),
      want: ['FieldNameCase spec.stores[0].parameters.plainHTTP'],
    },
    'of a field given twice': {
      spec: goodSpec({ stores: [store({ userAgent: 'a', USERAGENT: 'b' })] }),
      want: ['FieldTwice spec.stores[0].parameters.USERAGENT'],
    },
    'of a credential field that is none': {
      spec: goodSpec({ stores: [store({ credential: { provider: 'static', user: 'u' } })] }),
      want: ['FieldIgnored spec.stores[0].parameters.credential.user'],
    },
    'of a key provider without keys': {
      spec: goodSpec({ verifiers: [cosign({ keys: { inline: {} } })] }),
      want: ['CosignKeysMissing spec.verifiers[0].parameters.trustPolicies[0].keys.inline'],
    },
    'of a keyless policy that asks for nobody': {
      spec: goodSpec({ verifiers: [cosign({})] }),
      want: [
        'KeylessWithoutIdentity spec.verifiers[0].parameters.trustPolicies[0]',
        'SigstoreRootNotAsked spec.verifiers[0].parameters.trustPolicies[0]',
      ],
    },
    'of a vault that a setting leaves unasked': {
      spec: vaultSpec(),
      want: ['KeyVaultNotAsked spec.verifiers[0].parameters.certificates[0].azurekeyvault'],
    },
    'of a scope that nothing can match': {
      spec: goodSpec({ scopes: ['r.example/a:', '*.'] }),
      want: ['ScopeNeverMatches spec.scopes[0]', 'ScopeNeverMatches spec.scopes[1]'],
    },
    'of scopes that look joined or mistyped': {
      spec: goodSpec({ scopes: ['a.example,b.example', 'Registry.example', '\u200ba'] }),
      want: ['ScopeUnusual spec.scopes[0]', 'ScopeUnusual spec.scopes[1]', 'ScopeUnusual spec.scopes[2]'],
    },
  };
  for (const [name, { spec, want }] of Object.entries(cases)) {
    it(name, async () => {
      const { succeeded, warnings, error } = await build(spec);
      expect(succeeded, error).to.equal(true);
      expect(warnings.map(({ code, path }) => `${code} ${path}`)).to.deep.equal(want);
      for (const { message } of warnings) expect(Buffer.byteLength(message)).to.be.within(20, 256);
    });
  }

  it('are none when it does not build', async () => {
    expect((await build(goodSpec({ policyEnforcer: null, stores: [] }))).warnings).to.deep.equal([]);
  });

  it('have one of each code first, and an ended certificate before what is only untidy (FB-7)', async () => {
    const certificates = [{ inline: { certs: fixture('root-expired.pem') } }];
    const untidy = { plainHTTP: true, userAgent: 'a', USERAGENT: 'b', nothing: 1, nobody: 2 };
    const spec = goodSpec({
      scopes: ['A.example', 'B.example', 'C.example', 'D.example', 'E.example'],
      stores: [store(untidy)],
      verifiers: [notation({ certificates, trustedIdentities: ['did:x'] })],
      policyEnforcer: null,
    });
    const codes = (await build(spec)).warnings.map(({ code }) => code);
    const order = [
      'PolicyMissing',
      'CertificateExpired',
      'IdentityPrefixUnknown',
      'FieldIgnored',
      'ScopeUnusual',
    ];
    expect(codes.slice(0, 5)).to.deep.equal(order);
    expect(new Set(codes.slice(0, 7)).size).to.equal(7);
    expect(codes.slice(7)).to.include('ScopeUnusual');
  });

  it('are few, however many causes a spec gives', async () => {
    const scopes = Array.from({ length: 1_000 }, (_, index) => `A${index}`);
    expect((await build(goodSpec({ scopes }))).warnings).to.have.length(5);
  });
});

describe('material (WP-14)', () => {
  it('names place, source, digest and end date of each certificate and key', async () => {
    const spec = goodSpec({
      verifiers: [notation({}), cosign({ keys: KEYS })],
      stores: [store({ caPem: fixture('root-p384.pem') })],
    });
    const { material, materialDigest } = await build(spec);
    expect(material.map(({ path, source, notAfter }) => `${path} ${source} ${notAfter}`)).to.deep.equal([
      'spec.verifiers[0].parameters.certificates[0].inline.certs inline 2126-11-05T17:05:59Z',
      'spec.verifiers[1].parameters.trustPolicies[0].keys.inline.keys inline undefined',
      'spec.stores[0].parameters.caPem inline 2126-11-05T17:05:59Z',
    ]);
    for (const { sha256 } of material) expect(sha256).to.match(/^[0-9a-f]{16}$/);
    expect(materialDigest).to.match(/^[0-9a-f]{16}$/);
  });

  it('has the same digest for the same content, and another for other content', async () => {
    const digest = async (name: string) => (await build(inlineSpec(name))).materialDigest;
    expect(await digest('root-p256.pem')).to.equal(await digest('root-leading-text.pem'));
    expect(await digest('root-p256.pem')).not.to.equal(await digest('root-p384.pem'));
  });

  it('has no digest when nothing was loaded', async () => {
    const spec = goodSpec({ verifiers: [notation({ certificates: [{}] })] });
    expect(await build(spec)).not.to.have.property('materialDigest');
  });
});

function policy(rule: object): object {
  return { type: 'threshold-policy', parameters: { policy: rule } };
}

function inlineSpec(file: string): object {
  return goodSpec({ verifiers: [notation({ certificates: [{ inline: { certs: fixture(file) } }] })] });
}

function vaultSpec(): object {
  const azurekeyvault = { vaultURL: 'https://v.example', certificates: [{ name: 'c' }] };
  return goodSpec({ verifiers: [notation({ certificates: [{ azurekeyvault }] })] });
}

function build(spec: unknown, environment: Parameters<typeof emptyEnvironment>[0] = {}) {
  return buildExecutor(member(spec), emptyEnvironment(environment));
}

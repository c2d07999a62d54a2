import { expect } from 'chai';
import {
  cosign,
  emptyEnvironment,
  fixture,
  goodSpec,
  member,
  notation,
} from '../../../../test/support/executor-specs.ts';
import { buildExecutor } from '../build-executor.ts';
import type { Environment } from '../environment.ts';
import { reachableSigstoreRoot, unreachableKeyVault } from '../pod/unreachable.ts';

const ROOT = { inline: { certs: fixture('root-p256.pem') } };
const LEAF = { inline: { certs: fixture('leaf.pem') } };
const KEYS = { inline: { keys: fixture('keys/p256.pub') } };

describe('notation', () => {
  const cases: Record<string, { parameters: Readonly<Record<string, unknown>>; want: string }> = {
    'takes each trust store type once': {
      parameters: { certificates: [ROOT, { type: 'tsa', ...ROOT }, { type: 'signingAuthority' }] },
      want: 'Built',
    },
    'takes several providers in one entry': {
      parameters: { certificates: [{ ...ROOT, files: ['/nope'] }] },
      want: 'Built',
    },
    'takes a null entry': { parameters: { certificates: [null] }, want: 'Built' },
    'takes no scopes and identities as a wildcard': {
      parameters: { scopes: [], trustedIdentities: null },
      want: 'Built',
    },
    'wants certificates': {
      parameters: { certificates: null },
      want: 'NotationCertificatesMissing certificates',
    },
    'refuses an entry that is no object': {
      parameters: { certificates: [ROOT, 'x'] },
      want: 'VerifierParametersType certificates[1]',
    },
    'takes null as a given type': {
      parameters: { certificates: [{ type: null, ...ROOT }] },
      want: 'NotationTrustStoreTypeInvalid certificates[0].type',
    },
    'reads the type by its exact name': {
      parameters: { certificates: [{ Type: 'ca', ...ROOT }] },
      want: 'UnknownKeyProvider certificates[0].Type',
    },
    'counts an entry without type as ca': {
      parameters: { certificates: [ROOT, { type: 'ca' }] },
      want: 'NotationTrustStoreTypeDuplicate certificates[1].type',
    },
    'looks at a type twice before its provider': {
      parameters: { certificates: [ROOT, { nope: 1 }] },
      want: 'NotationTrustStoreTypeDuplicate certificates[1]',
    },
    'refuses a leaf, whatever the type': {
      parameters: { certificates: [{ type: 'tsa', ...LEAF }] },
      want: 'CertificateNotTrustAnchor certificates[0].inline.certs',
    },
    'refuses bad keys of a provider that it asks for certificates': {
      parameters: { certificates: [{ inline: { keys: 'x' } }] },
      want: 'InlineKeysNotPem certificates[0].inline.keys',
    },
    'looks at certificates before identities': {
      parameters: { certificates: [LEAF], trustedIdentities: ['x'] },
      want: 'CertificateNotTrustAnchor certificates[0].inline.certs',
    },
    'looks at identities before scopes': {
      parameters: { trustedIdentities: ['x'], scopes: ['x'] },
      want: 'NotationIdentityNoSeparator trustedIdentities[0]',
    },
    'looks at types before anything is missing': {
      parameters: { certificates: [], scopes: 5 },
      want: 'VerifierParametersType scopes',
    },
  };
  for (const [name, { parameters, want }] of Object.entries(cases)) {
    it(name, async () => expect(await verdict(notation(parameters))).to.equal(want));
  }

  it('fails always with a vault that is asked for keys only, also unasked', async () => {
    const azurekeyvault = { vaultURL: 'https://v', keys: [{ name: 'k' }] };
    const verifier = notation({ certificates: [{ azurekeyvault }] });
    expect(await verdict(verifier)).to.equal('KeyVaultNoCertificates certificates[0].azurekeyvault');
  });

  it('says of a leaf which one it is, and where it came from (B11)', async () => {
    const spec = goodSpec({
      verifiers: [notation({ certificates: [{ inline: { certs: fixture('root-then-leaf.pem') } }] })],
    });
    const { error } = await buildExecutor(member(spec), emptyEnvironment());
    expect(error).to.match(/^CertificateNotTrustAnchor: the certificate "CN=leaf[^"]*" is no CA/);
  });
});

describe('cosign', () => {
  const cases: Record<string, { policies: unknown; want: string; environment?: Partial<Environment> }> = {
    'takes a key': { policies: [{ keys: KEYS }], want: 'Built' },
    'takes a provider that has no keys': { policies: [{ keys: { files: ['/nope'] } }], want: 'Built' },
    'ignores keyless fields beside a key, bad patterns too': {
      policies: [{ keys: KEYS, certificateIdentityRegex: '(' }],
      want: 'Built',
    },
    'takes an empty map of keys as keyless': { policies: [{ keys: {} }], want: 'Built' },
    'takes value and pattern together': {
      policies: [{ certificateIdentity: 'a', certificateIdentityRegex: '.*', certificateOIDCIssuer: 'i' }],
      want: 'Built',
    },
    'wants a trust policy': { policies: [], want: 'CosignTrustPoliciesMissing trustPolicies' },
    'refuses null': { policies: [{ keys: KEYS }, null], want: 'CosignTrustPolicyNull trustPolicies[1]' },
    'refuses two providers': {
      policies: [{ keys: { ...KEYS, files: [] } }],
      want: 'CosignKeyProvidersTooMany trustPolicies[0].keys',
    },
    'refuses a bad identity pattern before a bad issuer pattern': {
      policies: [{ certificateIdentityRegex: '(', certificateOIDCIssuerRegex: '(' }],
      want: 'CosignIdentityRegexInvalid trustPolicies[0].certificateIdentityRegex',
    },
    'refuses a bad issuer pattern before what is missing': {
      policies: [{ certificateOIDCIssuerRegex: '(?=a)' }],
      want: 'CosignIdentityRegexInvalid trustPolicies[0].certificateOIDCIssuerRegex',
    },
    'wants an identity before an issuer': {
      policies: [{ certificateOIDCIssuer: 'i' }],
      want: 'CosignIdentityIncomplete trustPolicies[0].certificateIdentity',
    },
    'wants an issuer': {
      policies: [{ certificateIdentity: 'a' }],
      want: 'CosignIdentityIncomplete trustPolicies[0].certificateOIDCIssuer',
    },
    'looks at one policy completely before the next': {
      policies: [{ keys: KEYS, scopes: ['a b'] }, null],
      want: 'CosignScopeInvalid trustPolicies[0].scopes[0]',
    },
    'looks at keys before scopes': {
      policies: [{ keys: { nope: 1 }, scopes: ['a b'] }],
      want: 'UnknownKeyProvider trustPolicies[0].keys.nope',
    },
    'refuses two policies that both have the scopes of the executor': {
      policies: [{ keys: KEYS }, { keys: KEYS }],
      want: 'CosignScopeDuplicate trustPolicies[1]',
    },
    'takes the vault only when it is asked': {
      policies: [{ keys: { azurekeyvault: { vaultURL: 'https://v', keys: [{ name: 'k' }] } } }],
      environment: { keyVault: unreachableKeyVault },
      want: 'KeyVaultFetchFailed trustPolicies[0].keys.azurekeyvault',
    },
  };
  for (const [name, { policies, want, environment }] of Object.entries(cases)) {
    it(name, async () => {
      const verifier = { name: 'n1', type: 'cosign', parameters: { trustPolicies: policies } };
      expect(await verdict(verifier, { sigstoreRoot: reachableSigstoreRoot, ...environment })).to.equal(want);
    });
  }

  it('fetches the Sigstore root for a keyless policy only, and before its scopes are looked at', async () => {
    let fetched = 0;
    const sigstoreRoot = { fetch: () => Promise.resolve(void (fetched += 1)) };
    await verdict(cosign({ keys: KEYS }), { sigstoreRoot });
    expect(fetched).to.equal(0);
    await verdict(cosign({ scopes: ['a b'] }), { sigstoreRoot });
    expect(fetched).to.equal(1);
  });

  it('lets two verifiers have the same scopes', async () => {
    const spec = goodSpec({ verifiers: [cosign({ keys: KEYS }), { ...cosign({ keys: KEYS }), name: 'n2' }] });
    expect((await buildExecutor(member(spec), emptyEnvironment())).succeeded).to.equal(true);
  });
});

async function verdict(verifier: object, environment: Partial<Environment> = {}): Promise<string> {
  const spec = goodSpec({ verifiers: [verifier] });
  const { code, path, reason } = await buildExecutor(member(spec), emptyEnvironment(environment));
  return code === undefined ? reason : `${code} ${path?.replace('spec.verifiers[0].parameters.', '')}`;
}

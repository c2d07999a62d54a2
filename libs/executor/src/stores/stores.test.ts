import { expect } from 'chai';
import {
  emptyEnvironment,
  fixture,
  goodSpec,
  member,
  store,
} from '../../../../test/support/executor-specs.ts';
import { buildExecutor } from '../build-executor.ts';

const PEM = fixture('root-p256.pem');
const SNI = 'AZURE_ACR_IDENTITY_BINDING_SNI_NAME';
const HOST = 'AZURE_ACR_IDENTITY_BINDING_APISERVER_HOST';
const AKS_SNI = 'AZURE_KUBERNETES_SNI_NAME';
const AKS_PROXY = 'AZURE_KUBERNETES_TOKEN_PROXY';

describe('registry-store', () => {
  const cases: Record<string, { parameters: Readonly<Record<string, unknown>>; want: string }> = {
    'takes all its parameters': {
      parameters: {
        plainHttp: true,
        allowCosignTag: true,
        userAgent: 'x',
        maxBlobBytes: 1,
        maxManifestBytes: -1,
        caPem: PEM,
      },
      want: 'Built',
    },
    'takes a bundle in base64, with line breaks': { parameters: { caBase64: base64(PEM) }, want: 'Built' },
    'takes a leaf in the bundle, beside garbage': {
      parameters: { caPem: `x\n${fixture('leaf.pem')}y` },
      want: 'Built',
    },
    'looks at caBase64 only without caPem': { parameters: { caPem: PEM, caBase64: '!' }, want: 'Built' },
    'wants a credential': { parameters: { credential: null }, want: 'CredentialMissing credential' },
    'looks at types before the credential': {
      parameters: { credential: null, userAgent: 5 },
      want: 'StoreParametersType userAgent',
    },
    'looks at the credential before the bundle': {
      parameters: { credential: {}, caPem: 'x' },
      want: 'CredentialProviderMissing credential.provider',
    },
    'wants whole numbers': { parameters: { maxBlobBytes: 1.5 }, want: 'StoreParametersType maxBlobBytes' },
    'wants padding': { parameters: { caBase64: 'YQ' }, want: 'StoreCaBase64Invalid caBase64' },
    'wants a certificate in base64': { parameters: { caBase64: 'YQ==' }, want: 'StoreCaInvalid caBase64' },
    'wants a certificate': { parameters: { caPem: 'x' }, want: 'StoreCaInvalid caPem' },
    'wants a certificate without PEM headers': {
      parameters: { caPem: fixture('root-pem-header.pem') },
      want: 'StoreCaInvalid caPem',
    },
  };
  for (const [name, { parameters, want }] of Object.entries(cases)) {
    it(name, async () => expect(await verdict(parameters)).to.equal(want));
  }
});

describe('credentials', () => {
  const cases: Record<string, { credential: unknown; want: string; variables?: Record<string, string> }> = {
    'static takes name and password': {
      credential: { provider: 'static', username: 'u', password: 'p' },
      want: 'Built',
    },
    'static takes names in any case': { credential: { provider: 'static', USERNAME: 'u' }, want: 'Built' },
    'static refuses a numeric password': {
      credential: { provider: 'static', password: 7 },
      want: 'CredentialOptionsType credential.password',
    },
    'static ignores the options of azure': { credential: { provider: 'static', clientID: 5 }, want: 'Built' },
    'azure takes client and tenant': {
      credential: { provider: 'azure', clientID: 'c', tenantID: 't' },
      want: 'Built',
    },
    'azure wants an object': {
      credential: { provider: 'azure', identityBinding: true },
      want: 'CredentialOptionsType credential.identityBinding',
    },
    'azure takes a binding that is off': {
      credential: { provider: 'azure', identityBinding: { enabled: false } },
      want: 'Built',
    },
    'azure forgets a binding by null': {
      credential: { provider: 'azure', IDENTITYBINDING: { enabled: true }, identityBinding: null },
      want: 'Built',
    },
    'the provider is a text': {
      credential: { provider: null },
      want: 'CredentialProviderType credential.provider',
    },
    'the provider is not empty': {
      credential: { provider: '' },
      want: 'CredentialProviderEmpty credential.provider',
    },
    'the name of the field provider is exact': {
      credential: { Provider: 'static' },
      want: 'CredentialProviderMissing credential.provider',
    },
    'the provider is exact': {
      credential: { provider: 'Static' },
      want: 'UnknownCredentialProvider credential.provider',
    },
  };
  const enabled = { provider: 'azure', identityBinding: { enabled: true } };
  const bindings: Record<string, { variables: Record<string, string>; want: string }> = {
    'a binding wants an SNI name': {
      variables: {},
      want: 'IdentityBindingNotConfigured credential.identityBinding',
    },
    'a blank SNI name is none': {
      variables: { [SNI]: ' ' },
      want: 'IdentityBindingNotConfigured credential.identityBinding',
    },
    'a binding wants a host too': {
      variables: { [SNI]: 'a' },
      want: 'IdentityBindingConfigInvalid credential.identityBinding',
    },
    'a binding takes the names of its own': {
      variables: { [SNI]: 'a', [HOST]: 'h', [AKS_SNI]: 'https://x', [AKS_PROXY]: 'x' },
      want: 'Built',
    },
    'a binding takes what AKS injects': {
      variables: { [AKS_SNI]: 'a', [AKS_PROXY]: 'https://10.0.0.1:443/' },
      want: 'Built',
    },
    'an SNI name has no scheme': {
      variables: { [SNI]: 'http://a', [HOST]: 'h' },
      want: 'IdentityBindingConfigInvalid credential.identityBinding',
    },
    'a token proxy has a host': {
      variables: { [AKS_SNI]: 'a', [AKS_PROXY]: 'h:443' },
      want: 'IdentityBindingConfigInvalid credential.identityBinding',
    },
    'a token proxy has no path': {
      variables: { [AKS_SNI]: 'a', [AKS_PROXY]: 'https://h/x' },
      want: 'IdentityBindingConfigInvalid credential.identityBinding',
    },
    'a token proxy has no fragment': {
      variables: { [AKS_SNI]: 'a', [AKS_PROXY]: 'https://h#x' },
      want: 'IdentityBindingConfigInvalid credential.identityBinding',
    },
  };
  for (const [name, binding] of Object.entries(bindings)) cases[name] = { credential: enabled, ...binding };
  for (const [name, { credential, want, variables = {} }] of Object.entries(cases)) {
    it(name, async () => expect(await verdict({ credential }, variables)).to.equal(want));
  }

  it('a fault of the environment is BuildFailed, and lasts as long as the pod', async () => {
    const outcome = await build({ credential: enabled }, {});
    expect(outcome).to.include({ reason: 'BuildFailed', retryable: false, blocksSet: true });
  });
});

function build(parameters: Readonly<Record<string, unknown>>, variables: Record<string, string>) {
  return buildExecutor(member(goodSpec({ stores: [store(parameters)] })), emptyEnvironment({ variables }));
}

async function verdict(
  parameters: Readonly<Record<string, unknown>>,
  variables: Record<string, string> = {},
): Promise<string> {
  const { code, path, reason } = await build(parameters, variables);
  return code === undefined ? reason : `${code} ${path?.replace('spec.stores[0].parameters.', '')}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n');
}

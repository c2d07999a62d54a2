import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  emptyEnvironment,
  fixture,
  goodSpec,
  member,
  notation,
} from '../../../../test/support/executor-specs.ts';
import { type StubAnswer, VaultStub } from '../../../../test/support/vault-stub.ts';
import { buildExecutor } from '../build-executor.ts';
import type { KeyVault, VaultRequest } from '../environment.ts';
import { ProviderError } from '../provider-error.ts';
import { sharedEnvironment } from '../shared-environment.ts';
import { azureKeyVault } from './azure-key-vault.ts';

const CA: StubAnswer = {
  body: {
    value: fixture('root-p256.pem'),
    contentType: 'application/x-pem-file',
    id: 'https://v.vault.azure.net/secrets/c/v7',
    attributes: { enabled: true },
  },
};

describe('azureKeyVault', () => {
  let stub: VaultStub;
  let folder: string;
  let workload: Record<string, string>;
  // One for all: the SDK keeps the first way to the metadata endpoint for the life of the process.
  before(async () => {
    stub = await VaultStub.start();
  });
  after(() => stub.stop());
  beforeEach(() => {
    stub.reset();
    stub.objects.set('secret/c', CA);
    folder = mkdtempSync(join(tmpdir(), 'vault-'));
    const token = join(folder, 'token');
    writeFileSync(token, 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln');
    workload = {
      AZURE_CLIENT_ID: 'client-1',
      AZURE_TENANT_ID: 'tenant-1',
      AZURE_FEDERATED_TOKEN_FILE: token,
    };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const vault = (variables: Record<string, string> = workload, callTimeoutMs = 5_000) =>
    azureKeyVault({ variables, agents: stub.agents(), callTimeoutMs });

  it('fetches a certificate as a secret, with its version', async () => {
    const { value, ...rest } = await secret(vault(), 'c');
    expect(value).to.include('BEGIN CERTIFICATE');
    expect(rest).to.deep.equal({ contentType: 'application/x-pem-file', version: 'v7' });
  });

  it('fetches a key as the vault wrote it', async () => {
    const key = { kid: 'https://v.vault.azure.net/keys/k/v1', kty: 'EC', crv: 'P-256', x: 'AQ', y: 'Ag' };
    stub.objects.set('key/k', { body: { key, attributes: { enabled: false } } });
    stub.objects.set('key/bare', { body: { key } });
    stub.objects.set('key/nothing', { body: { attributes: { enabled: true } } });
    const keys = vault();
    const ask = (name: string) => keys.key(request(name), never());
    expect(await ask('k')).to.deep.equal({ enabled: false, jwk: key, version: 'v1' });
    expect(await ask('bare')).to.deep.equal({ jwk: key, version: 'v1' });
    expect(await ask('nothing')).to.deep.equal({ enabled: true });
  });

  it('asks for one token for many objects', async () => {
    const keyVault = vault();
    for (let index = 0; index < 5; index += 1) await secret(keyVault, 'c');
    expect(stub.calls).to.deep.equal({ token: 1, challenge: 1, objects: { 'secret/c': 5 } });
  });

  it('takes the managed identity where there is no workload identity', async () => {
    const expires = String(Math.floor(Date.now() / 1_000) + 3_600);
    stub.managedIdentity = {
      body: { access_token: 'm', expires_on: expires, resource: 'x', token_type: 'Bearer' },
    };
    const asked = vault({}).secret({ ...request('c'), clientID: 'client-2' }, never());
    expect((await asked).version).to.equal('v7');
  });

  const answers: Record<
    string,
    { answer: StubAnswer; reason: string; retryAfterMs?: number; text?: RegExp }
  > = {
    'throttled, with a time to wait': {
      answer: {
        status: 429,
        headers: { 'retry-after': '7' },
        body: { error: { code: 'Throttled', message: 'slow' } },
      },
      reason: 'ProviderThrottled',
      retryAfterMs: 7_000,
      text: /HTTP 429 Throttled: slow/,
    },
    'throttled, without a time': { answer: { status: 429, body: {} }, reason: 'ProviderThrottled' },
    'refused for this identity': {
      answer: { status: 403, body: { error: { code: 'Forbidden', message: 'no get permission' } } },
      reason: 'ProviderDenied',
      text: /HTTP 403 Forbidden: no get permission/,
    },
    'a disabled secret': {
      answer: {
        status: 403,
        body: {
          error: {
            code: 'Forbidden',
            message: 'Operation get is not allowed on a disabled secret.',
            innererror: { code: 'SecretDisabled' },
          },
        },
      },
      reason: 'CredentialsInvalid',
    },
    'a disabled secret that has no inner code': {
      answer: {
        status: 403,
        body: {
          error: { code: 'Forbidden', message: 'Operation get is not allowed on a disabled secret.' },
        },
      },
      reason: 'CredentialsInvalid',
    },
    'a vault whose public access is off': {
      answer: {
        status: 403,
        body: {
          error: {
            code: 'Forbidden',
            message:
              'Public network access is disabled and request is not from a trusted service nor via an approved private link.',
            innererror: { code: 'ForbiddenByConnection' },
          },
        },
      },
      reason: 'ProviderUnreachable',
      text: /Public network access is disabled/,
    },
    'a firewall that does not know this pod': {
      answer: {
        status: 403,
        body: {
          error: {
            code: 'Forbidden',
            message: 'Client address is not authorized and caller is not a trusted service.',
            innererror: { code: 'ForbiddenByFirewall' },
          },
        },
      },
      reason: 'ProviderUnreachable',
    },
    'an identity that its policy disables': {
      answer: {
        status: 403,
        body: {
          error: {
            code: 'Forbidden',
            message: 'The policy of this identity is disabled.',
            innererror: { code: 'ForbiddenByPolicy' },
          },
        },
      },
      reason: 'ProviderDenied',
    },
    'a missing version': {
      answer: { status: 404, body: { error: { code: 'SecretNotFound', message: 'no such version' } } },
      reason: 'CredentialsInvalid',
    },
    'an expired token': {
      answer: {
        status: 401,
        body: { error: { code: 'Unauthorized', message: 'AKV10032: the token has expired' } },
      },
      reason: 'CredentialsExpired',
    },
    'a token that is not accepted': {
      answer: { status: 401, body: { error: { code: 'Unauthorized', message: 'no' } } },
      reason: 'ProviderDenied',
    },
    'a vault that is ill': {
      answer: { status: 503, headers: { 'retry-after': '2' }, body: {} },
      reason: 'ProviderUnreachable',
      retryAfterMs: 2_000,
    },
    'a vault that misunderstands': {
      answer: { status: 400, body: { error: { code: 'BadParameter', message: 'no' } } },
      reason: 'BuildFailed',
    },
  };
  for (const [name, { answer, reason, retryAfterMs, text = /./ }] of Object.entries(answers)) {
    it(`tells ${name}`, async () => {
      stub.objects.set('secret/x', answer);
      const error = await failure(secret(vault(), 'x'));
      expect([error.reason, error.retryAfterMs]).to.deep.equal([reason, retryAfterMs]);
      expect(error.message).to.match(text);
      expect(stub.calls.objects['secret/x']).to.equal(1);
    });
  }

  const tokens: Record<string, { answer: StubAnswer; reason: string; retryAfterMs?: number }> = {
    'an expired assertion': {
      answer: {
        status: 401,
        body: {
          error: 'invalid_client',
          error_description: 'AADSTS700024: Client assertion is not within its valid time range. Trace ID: 1',
        },
      },
      reason: 'CredentialsExpired',
    },
    'an unknown application': {
      answer: {
        status: 400,
        body: { error: 'unauthorized_client', error_description: 'AADSTS700016: Application not found' },
      },
      reason: 'ProviderDenied',
    },
    'a throttled endpoint': {
      answer: { status: 429, headers: { 'retry-after': '9' }, body: {} },
      reason: 'ProviderThrottled',
      retryAfterMs: 9_000,
    },
    'an endpoint that is ill': { answer: { status: 503, body: {} }, reason: 'ProviderUnreachable' },
  };
  for (const [name, { answer, reason, retryAfterMs }] of Object.entries(tokens)) {
    it(`tells ${name} of the token endpoint, each time`, async () => {
      stub.token = answer;
      const keyVault = vault();
      for (let index = 0; index < 2; index += 1) {
        const error = await failure(secret(keyVault, 'c'));
        expect([error.reason, error.retryAfterMs]).to.deep.equal([reason, retryAfterMs]);
        expect(error.message).to.match(/^no token from login\.microsoftonline\.com, HTTP \d{3}/);
      }
      expect(stub.objectCalls).to.equal(0);
    });
  }

  it('does not try the managed identity after a workload identity that is refused, as Ratify does not', async () => {
    stub.token = { status: 400, body: { error: 'unauthorized_client' } };
    await failure(secret(vault(), 'c'));
    expect(stub.calls.token).to.equal(1);
  });

  it('tells that no identity is in the environment', async () => {
    const error = await failure(secret(vault({}), 'c'));
    expect(error.reason).to.equal('IdentityNotInjected');
    expect(error.message).to.equal("no token from the node's metadata endpoint: Identity not found");
  });

  it('takes no id with 429 in it for a throttled endpoint', async () => {
    const error_description = 'Identity not found. Client id: 0429f2b1-1429-4290-8429-429429429429';
    stub.managedIdentity = { status: 400, body: { error: 'invalid_request', error_description } };
    expect((await failure(secret(vault({}), 'c'))).reason).to.equal('IdentityNotInjected');
  });

  it('tells a metadata endpoint that is throttled', async () => {
    stub.managedIdentity = { status: 429, body: { error: 'too_many_requests' } };
    const error = await failure(secret(vault({}), 'c'));
    expect(error.reason).to.equal('ProviderThrottled');
  });

  it('tells that no identity answers at all', async () => {
    stub.managedIdentity = { hang: true };
    expect((await failure(secret(vault({}, 200), 'c'))).reason).to.equal('IdentityNotInjected');
  });

  it('tells that the token file is not there', async () => {
    const variables = { ...workload, AZURE_FEDERATED_TOKEN_FILE: join(folder, 'nope') };
    expect((await failure(secret(vault(variables), 'c'))).reason).to.equal('IdentityNotInjected');
  });

  it('tells a vault that hangs', async () => {
    stub.objects.set('secret/x', { hang: true });
    const keyVault = vault(workload, 2_000);
    // The token first: it is waited for, too.
    await secret(keyVault, 'c');
    const error = await failure(secret(keyVault, 'x'));
    expect([error.reason, error.message]).to.deep.equal([
      'ProviderUnreachable',
      'the vault did not answer in time',
    ]);
  });

  it('tells a token endpoint that hangs', async () => {
    stub.token = { hang: true };
    const error = await failure(secret(vault(workload, 2_000), 'c'));
    expect(error.reason).to.equal('ProviderUnreachable');
    expect(error.message).to.include('no token from workload identity');
  });

  it('tells a certificate that nobody vouches for', async () => {
    const stranger = await VaultStub.start();
    const agents = { ...stub.agents(), https: stub.agents(stranger.ca).https };
    const error = await failure(secret(azureKeyVault({ variables: workload, agents }), 'c'));
    await stranger.stop();
    expect(error.reason).to.equal('ProviderUnreachable');
    expect(error.message).to.match(/certificate/);
  });

  it('tells a name that nobody knows', async () => {
    const keyVault = azureKeyVault({ variables: workload });
    const error = await failure(
      keyVault.secret({ ...request('c'), vaultURL: 'https://vault.invalid' }, never()),
    );
    expect(error.reason).to.equal('ProviderUnreachable');
    expect(error.message).to.match(/ENOTFOUND|EAI_AGAIN/);
  });

  it('ends when nobody waits any more', async () => {
    stub.objects.set('secret/x', { hang: true });
    const nobody = new AbortController();
    const asked = failure(vault().secret(request('x'), nobody.signal));
    nobody.abort();
    expect((await asked).reason).to.equal('ProviderUnreachable');
  });

  it('makes as many calls per edit as there are pods times distinct objects (P3)', async () => {
    stub.objects.set('secret/d', CA);
    const pods = Array.from({ length: 5 }, () => vault());
    const names = [['c'], ['c'], ['c', 'd'], ['d']];
    for (const keyVault of pods) {
      const round = sharedEnvironment(emptyEnvironment({ keyVault }));
      for (const [index, list] of names.entries()) {
        const outcome = await buildExecutor(member(spec(list), { name: `e${index}` }), round);
        expect(outcome.succeeded, outcome.error).to.equal(true);
      }
    }
    expect(stub.calls.objects).to.deep.equal({ 'secret/c': 5, 'secret/d': 5 });
  });

  it('fails for the one disabled object of three, and names it and its cause (B11)', async () => {
    stub.objects.set('secret/b', {
      status: 403,
      body: {
        error: {
          code: 'Forbidden',
          message: 'Operation get is not allowed on a disabled secret.',
          innererror: { code: 'SecretDisabled' },
        },
      },
    });
    const environment = emptyEnvironment({ keyVault: vault() });
    const outcome = await buildExecutor(member(spec(['c', 'b', 'c'])), environment);
    expect(outcome).to.include({ succeeded: false, reason: 'CredentialsInvalid', retryable: true });
    expect(outcome.error).to.match(/the secret "b" could not be fetched .* on a disabled secret/);
    expect(outcome.error).to.match(/Create or enable the object, or correct its name or version\.$/);
  });

  it('builds with the one ended certificate of three, and names it in a warning (B11)', async () => {
    const value = fixture('root-expired.pem');
    const id = 'https://v.vault.azure.net/secrets/b/v3';
    stub.objects.set('secret/b', { body: { value, contentType: 'application/x-pem-file', id } });
    const environment = emptyEnvironment({ keyVault: vault() });
    const outcome = await buildExecutor(member(spec(['c', 'b', 'c'])), environment);
    expect(outcome.succeeded, outcome.error).to.equal(true);
    expect(outcome.warnings.map(({ code }) => code)).to.deep.equal(['CertificateExpired']);
    expect(outcome.warnings[0]?.message).to.include('from secret b/v3 of https://v.vault.azure.net ended 20');
  });

  it('reads like good advice in an outcome', async () => {
    stub.objects.set('secret/x', {
      status: 403,
      body: { error: { code: 'Forbidden', message: 'client-1 has no get permission' } },
    });
    const outcome = await buildExecutor(member(spec(['x'])), emptyEnvironment({ keyVault: vault() }));
    expect(outcome).to.include({ reason: 'ProviderDenied', retryable: true, code: 'KeyVaultFetchFailed' });
    expect(outcome.error).to.equal(
      'KeyVaultFetchFailed: the secret "x" could not be fetched from "https://v.vault.azure.net", at spec.verifiers[0].parameters.certificates[0].azurekeyvault: the vault answered HTTP 403 Forbidden: client-1 has no get permission; expected an answer with the object. Let the identity of this pod read secrets and keys of this vault.',
    );
    expect(outcome.briefError).to.match(
      /^the vault answered HTTP 403 Forbidden: client-1 has no get permission/,
    );
  });
});

function request(name: string): VaultRequest {
  return { vaultURL: 'https://v.vault.azure.net', clientID: '', tenantID: '', name, version: '' };
}

function secret(keyVault: KeyVault, name: string) {
  return keyVault.secret(request(name), never());
}

const never = () => new AbortController().signal;

function spec(names: readonly string[]): object {
  const azurekeyvault = {
    vaultURL: 'https://v.vault.azure.net',
    certificates: names.map((name) => ({ name })),
  };
  return goodSpec({ verifiers: [notation({ certificates: [{ azurekeyvault }] })] });
}

async function failure(asked: Promise<unknown>): Promise<ProviderError> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

import { expect } from 'chai';
import { emptyEnvironment, goodSpec, member, notation } from '../../../test/support/executor-specs.ts';
import { recordedKeyVault } from '../../../test/support/recorded-key-vault.ts';
import { buildExecutor } from './build-executor.ts';
import type { Environment } from './environment.ts';
import { sharedEnvironment } from './shared-environment.ts';

describe('sharedEnvironment', () => {
  it('asks once for what ten executors need (P3)', async () => {
    const { environment, asked } = counting();
    const round = sharedEnvironment(environment);
    for (let index = 0; index < 10; index += 1)
      expect((await buildExecutor(member(spec('c')), round)).succeeded).to.equal(true);
    expect(asked).to.deep.equal({ 'secret c': 1, 'walk /nope': 1 });
  });

  it('asks once also when they build at the same time', async () => {
    const { environment, asked } = counting();
    const round = sharedEnvironment(environment);
    await Promise.all([1, 2, 3].map(() => buildExecutor(member(spec('c')), round)));
    expect(asked).to.deep.equal({ 'secret c': 1, 'walk /nope': 1 });
  });

  it('shares a failure too', async () => {
    const { environment, asked } = counting();
    const round = sharedEnvironment(environment);
    for (let index = 0; index < 3; index += 1)
      expect((await buildExecutor(member(spec('forbidden')), round)).succeeded).to.equal(false);
    expect(asked).to.deep.equal({ 'secret forbidden': 1 });
  });

  it('tells objects, versions and identities apart', async () => {
    const { environment, asked } = counting();
    const round = sharedEnvironment(environment);
    for (const fields of [{}, { clientID: 'x' }, { certificates: [{ name: 'c', version: 'v1' }] }]) {
      await buildExecutor(member(spec('c', fields)), round);
    }
    expect(asked['secret c']).to.equal(3);
  });

  it('asks again in the next round', async () => {
    const { environment, asked } = counting();
    for (let round = 0; round < 2; round += 1)
      await buildExecutor(member(spec('c')), sharedEnvironment(environment));
    expect(asked['secret c']).to.equal(2);
  });

  it('asks for nothing that a setting leaves unasked', () => {
    expect(sharedEnvironment(emptyEnvironment())).not.to.have.any.keys('keyVault', 'sigstoreRoot');
  });
});

function counting(): { environment: Environment; asked: Record<string, number> } {
  const asked: Record<string, number> = {};
  const count = (what: string) => void (asked[what] = (asked[what] ?? 0) + 1);
  const vault = recordedKeyVault({});
  const environment = emptyEnvironment({
    keyVault: {
      secret: (request, signal) => (count(`secret ${request.name}`), vault.secret(request, signal)),
      key: (request, signal) => (count(`key ${request.name}`), vault.key(request, signal)),
    },
    walk: (path) => (count(`walk ${path}`), Promise.resolve({ files: [], watched: [path] })),
  });
  return { environment, asked };
}

function spec(name: string, fields: object = {}): object {
  const azurekeyvault = { vaultURL: 'https://v.vault.azure.net', certificates: [{ name }], ...fields };
  return goodSpec({
    verifiers: [notation({ certificates: [{ azurekeyvault }, { type: 'tsa', files: ['/nope'] }] })],
  });
}

import { expect } from 'chai';
import { emptyEnvironment, goodSpec, member, notation } from '../../../test/support/executor-specs.ts';
import { recordedKeyVault } from '../../../test/support/recorded-key-vault.ts';
import { buildExecutor } from './build-executor.ts';
import type { Environment, VaultRequest, VaultSecret } from './environment.ts';
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

  it('goes on for the others when the build that asked first is called off', async () => {
    const answer = Promise.withResolvers<{ value: string }>();
    const secret = (_: unknown, signal: AbortSignal) => {
      signal.addEventListener('abort', () => answer.reject(new Error('called off')));
      return answer.promise;
    };
    const keyVault = { secret, key: () => Promise.reject(new Error('no key is asked for')) };
    const round = sharedEnvironment(
      emptyEnvironment({ keyVault, signal: new AbortController().signal, deadlineMs: 60_000 }),
    );
    const ending = new AbortController();
    const first = buildExecutor(member(spec('c')), { ...round, signal: ending.signal });
    const second = buildExecutor(member(spec('c')), round);
    ending.abort();
    expect((await first).error).to.include('called off');
    answer.resolve({ value: 'no certificate' });
    expect((await second).error).not.to.include('called off');
  });

  it('asks again in the next round', async () => {
    const { environment, asked } = counting();
    for (let round = 0; round < 2; round += 1)
      await buildExecutor(member(spec('c')), sharedEnvironment(environment));
    expect(asked['secret c']).to.equal(2);
  });

  it('goes on for the others when one that waits gives up, and tells them the answer', async () => {
    const { round, asked, answer } = slowVault();
    const [first, second] = [new AbortController(), new AbortController()];
    const [given, kept] = [round.secret(REQUEST, first.signal), round.secret(REQUEST, second.signal)];
    first.abort(new Error('my deadline'));
    expect(await messageOf(given)).to.equal('my deadline');
    answer.resolve({ version: 'v1' });
    expect(await kept).to.deep.equal({ version: 'v1' });
    expect(asked.map(({ aborted }) => aborted)).to.deep.equal([false]);
  });

  it('ends the work when nobody waits any more, and asks anew for whoever comes then', async () => {
    const { round, asked, answer } = slowVault();
    const nobody = new AbortController();
    const given = [1, 2].map(() => messageOf(round.secret(REQUEST, nobody.signal)));
    nobody.abort(new Error('called off'));
    expect(await Promise.all(given)).to.deep.equal(['called off', 'called off']);
    expect(asked.map(({ aborted }) => aborted)).to.deep.equal([true]);
    const later = round.secret(REQUEST, new AbortController().signal);
    answer.resolve({ version: 'v1' });
    expect(await later).to.deep.equal({ version: 'v1' });
    expect(asked).to.have.length(2);
  });

  it('asks nobody for one that has given up already', async () => {
    const { round, asked } = slowVault();
    expect(await messageOf(round.secret(REQUEST, AbortSignal.abort(new Error('too late'))))).to.equal(
      'too late',
    );
    expect(asked).to.deep.equal([]);
  });

  it('asks for nothing that a setting leaves unasked', () => {
    expect(sharedEnvironment(emptyEnvironment())).not.to.have.any.keys('keyVault', 'sigstoreRoot');
  });
});

const REQUEST: VaultRequest = { vaultURL: 'https://v', clientID: '', tenantID: '', name: 'c', version: '' };

/** A vault that waits for `answer`, and the signals with which it was asked. */
function slowVault() {
  const asked: AbortSignal[] = [];
  const answer = Promise.withResolvers<VaultSecret>();
  const secret = (_: VaultRequest, signal: AbortSignal) => {
    asked.push(signal);
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    return Promise.race([answer.promise, ended]);
  };
  const key = () => Promise.reject(new Error('no key is asked for'));
  const { keyVault } = sharedEnvironment(emptyEnvironment({ keyVault: { secret, key } }));
  if (keyVault === undefined) throw new Error('no vault');
  return { round: keyVault, asked, answer };
}

async function messageOf(asked: Promise<unknown>): Promise<string> {
  return await asked.then(
    () => 'answered',
    (error: Error) => error.message,
  );
}

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

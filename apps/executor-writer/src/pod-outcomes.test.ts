import type { Executor } from '@executor-status/api';
import { type Environment, podEnvironment, unreachableKeyVault } from '@executor-status/executor';
import { expect } from 'chai';
import { podOutcomes } from './pod-outcomes.ts';
import { roundEnvironment } from './round-environment.ts';

describe('podOutcomes', () => {
  const signal = new AbortController().signal;

  it('builds an executor by what this pod has', async () => {
    const round = podOutcomes(environment).round(signal);
    expect(await round.build(executor('a', 'a.example'), signal)).to.include({
      succeeded: true,
      reason: 'Built',
    });
    expect(await round.build(executor('b', 'not a scope'), signal)).to.include({
      succeeded: false,
      reason: 'ConfigInvalid',
    });
  });

  it('fails both members of a set that claim one scope, each naming the other (C3)', async () => {
    const outcomes = await judged(executor('a', 'same.example'), executor('b', 'same.example'));
    expect(outcomes.map((one) => one?.reason)).to.deep.equal(['ConfigInvalid', 'ConfigInvalid']);
    expect(outcomes[0]?.error).to.include('Executor b');
    expect(outcomes[1]?.error).to.include('Executor a');
  });

  it('counts the claims of a member that is not built yet, and says nothing of it', async () => {
    const source = podOutcomes(environment);
    const [a, b] = [executor('a', 'same.example'), executor('b', 'same.example')];
    const outcome = await source.round(signal).build(a, signal);
    const outcomes = source.judge([
      { executor: a, outcome },
      { executor: b, outcome: undefined },
    ]);
    expect(outcomes.map((one) => one?.reason)).to.deep.equal(['ConfigInvalid', undefined]);
  });

  it('ends one build of a round when that is called off, and no other', async () => {
    const asked = Promise.withResolvers<void>();
    const vault = { ...unreachableKeyVault, secret: () => (asked.resolve(), new Promise<never>(() => {})) };
    const round = podOutcomes((ending) =>
      podEnvironment({ variables: {}, keyVault: vault, signal: ending }),
    ).round(signal);
    const ending = new AbortController();
    const provider = {
      azurekeyvault: { vaultURL: 'https://v.vault.azure.net', certificates: [{ name: 'c' }] },
    };
    const hanging = round.build(executor('a', 'a.example', provider), ending.signal);
    await asked.promise;
    ending.abort();
    expect((await hanging).error).to.include('called off');
    expect(await round.build(executor('b', 'b.example'), signal)).to.include({ succeeded: true });
  });

  const askings: Record<string, { askKeyVault: boolean; want: { readonly succeeded: boolean } }> = {
    'says that a vault was not asked when it is told not to': {
      askKeyVault: false,
      want: { succeeded: true },
    },
    'fails when it asks a vault and there is no identity': { askKeyVault: true, want: { succeeded: false } },
  };
  for (const [name, { askKeyVault, want }] of Object.entries(askings)) {
    it(name, async function () {
      this.timeout(30_000);
      const settings = {
        filesRoot: '/',
        buildDeadlineMs: 20_000,
        askKeyVault,
        askSigstoreRoot: false,
        sigstoreCache: undefined,
        providerTimeoutMs: 200,
      };
      const source = podOutcomes(roundEnvironment(settings, {}, () => new Date()));
      const vault = { vaultURL: 'https://vault.invalid', certificates: [{ name: 'c' }] };
      const outcome = await source
        .round(signal)
        .build(executor('a', 'a.example', { azurekeyvault: vault }), signal);
      expect(outcome).to.include(want);
      if (want.succeeded) expect(outcome.warnings.map(({ code }) => code)).to.include('KeyVaultNotAsked');
      else expect(outcome.retryable || outcome.reason === 'IdentityNotInjected').to.equal(true);
    });
  }

  async function judged(...executors: readonly Executor[]) {
    const source = podOutcomes(environment);
    const round = source.round(signal);
    const set = executors.map(async (one) => ({ executor: one, outcome: await round.build(one, signal) }));
    return source.judge(await Promise.all(set));
  }

  function environment(ending: AbortSignal): Environment {
    return podEnvironment({ variables: {}, keyVault: unreachableKeyVault, signal: ending });
  }
});

function executor(name: string, scope: string, provider: object = { inline: {} }): Executor {
  return {
    apiVersion: 'config.ratify.sh/v2alpha1',
    kind: 'Executor',
    metadata: { name, uid: `uid-${name}`, generation: 1 },
    spec: {
      scopes: [scope],
      verifiers: [
        {
          name: 'v',
          type: 'notation',
          parameters: { certificates: [{ type: 'ca', ...provider }], trustedIdentities: ['*'] },
        },
      ],
      stores: [{ type: 'registry-store', parameters: { credential: { provider: 'static' } } }],
    },
  };
}

import { expect } from 'chai';
import {
  cosign,
  emptyEnvironment,
  goodSpec,
  member,
  notation,
  store,
} from '../../../test/support/executor-specs.ts';
import { MARK, PRIVATE_KEY, SECRET_TEXTS } from '../../../test/support/secret-texts.ts';
import { buildExecutor } from './build-executor.ts';
import type { Outcome } from './member.ts';
import { ProviderError } from './provider-error.ts';

describe('secrets never leave (WP-10)', () => {
  it(`in ${SECRET_TEXTS.length} texts of providers`, async () => {
    expect(SECRET_TEXTS.length).to.be.at.least(200);
    for (const text of SECRET_TEXTS) {
      const fails = () =>
        Promise.reject(new ProviderError(text, { reason: 'ProviderDenied', cause: new Error(text) }));
      const azurekeyvault = { vaultURL: 'https://v.vault.azure.net', certificates: [{ name: 'c' }] };
      const spec = goodSpec({ verifiers: [notation({ certificates: [{ azurekeyvault }] })] });
      expectNoSecret(
        await buildExecutor(member(spec), emptyEnvironment({ keyVault: { secret: fails, key: fails } })),
        text,
      );
    }
  });

  it('in errors of the disk', async () => {
    for (const text of SECRET_TEXTS) {
      const spec = goodSpec({ verifiers: [notation({ certificates: [{ files: ['/x'] }] })] });
      const walk = () => Promise.resolve({ files: [{ path: '/x', realPath: '/x' }], watched: ['/x'] });
      const readFile = () => Promise.reject(new Error(text));
      expectNoSecret(await buildExecutor(member(spec), emptyEnvironment({ walk, readFile })), text);
    }
  });

  it('in fields of a spec that may hold one', async () => {
    const specs = [
      ...[MARK, PRIVATE_KEY, 5, { a: MARK }].map((password) =>
        goodSpec({ stores: [store({ credential: { provider: 'static', username: 5, password } })] }),
      ),
      ...[PRIVATE_KEY, `${MARK}\n`, `${PRIVATE_KEY}\ntail ${MARK}`].flatMap((text) => [
        goodSpec({ verifiers: [notation({ certificates: [{ inline: { certs: text } }] })] }),
        goodSpec({ verifiers: [notation({ certificates: [{ inline: text }] })] }),
        goodSpec({ verifiers: [cosign({ keys: { inline: { keys: text } } })] }),
        goodSpec({ stores: [store({ caPem: text })] }),
        goodSpec({ stores: [store({ caBase64: text })] }),
      ]),
      goodSpec({ scopes: [`https://user:${MARK}@registry.example`] }),
      goodSpec({ scopes: [`https://user:${MARK.repeat(20)}@registry.example`] }),
      goodSpec({ stores: [store({ credential: { provider: 'azure', clientID: { secret: MARK } } })] }),
    ];
    for (const spec of specs)
      expectNoSecret(await buildExecutor(member(spec), emptyEnvironment()), JSON.stringify(spec));
  });

  it('while subjects of certificates and hosts stay readable', async () => {
    const fails = () =>
      Promise.reject(
        new ProviderError('getaddrinfo ENOTFOUND v.vault.azure.net', { reason: 'ProviderUnreachable' }),
      );
    const azurekeyvault = { vaultURL: 'https://v.vault.azure.net', certificates: [{ name: 'root-ca' }] };
    const spec = goodSpec({ verifiers: [notation({ certificates: [{ azurekeyvault }] })] });
    const { error } = await buildExecutor(
      member(spec),
      emptyEnvironment({ keyVault: { secret: fails, key: fails } }),
    );
    expect(error).to.include('the secret "root-ca" could not be fetched from "https://v.vault.azure.net"');
  });
});

function expectNoSecret(outcome: Outcome, about: string): void {
  expect(JSON.stringify(outcome), about).not.to.include(MARK);
}

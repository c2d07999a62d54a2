import { expect } from 'chai';
import {
  cosign,
  emptyEnvironment,
  goodSpec,
  member,
  notation,
  store,
} from '../../../test/support/executor-specs.ts';
import { buildExecutor } from './build-executor.ts';
import type { Outcome } from './member.ts';
import { ProviderError } from './provider-error.ts';

/** Marks what must never be shown, so that a search finds any part of it. */
const MARK = 'S3CR3T';
const JWT = `eyJhbGciOiJSUzI1NiJ9.eyJ${MARK}InN1YiI6IngifQ.${MARK}c2lnbmF0dXJl`;
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----\n${MARK}QDAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w\n-----END PRIVATE KEY-----`;

/** Texts as they stand in errors of providers; `@` is where a secret of each kind goes. */
const SENTENCES = [
  'request failed: @',
  'GET @ failed',
  'authentication failed for @: try again',
  'cannot parse "@"',
  '@',
  'line one\n@\nline three',
  '{"error":"denied","detail":"@"}',
  'chain: outer: inner: @',
  'header @ was refused by vault.azure.net',
  'wrapped (@)',
];
const SECRETS = [
  PRIVATE_KEY,
  PRIVATE_KEY.replaceAll('PRIVATE', 'RSA PRIVATE'),
  PRIVATE_KEY.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'),
  PRIVATE_KEY.slice(0, 80),
  JWT,
  `Bearer ${JWT}`,
  `Authorization: Bearer ${MARK}abcdefgh`,
  `Authorization: Basic ${MARK}dXNlcjpwYXNz`,
  `https://user:${MARK}@registry.example/v2/`,
  `https://${MARK}@registry.example/v2/`,
  `https://acct.blob.core.windows.net/c?sv=2024&sig=${MARK}%2Fabc%3D&se=2027`,
  `https://h/?access_token=${MARK}abc`,
  `client_secret=${MARK}~abc.def`,
  `client_assertion=${JWT}`,
  `"password":"${MARK} with blanks"`,
  `password: ${MARK}`,
  `refresh_token=${MARK}`,
  `AccountKey=${MARK}abc==;EndpointSuffix=core.windows.net`,
  `SharedAccessKey=${MARK}abc=`,
  `https://h/?sv=1&signature=${MARK}`,
  `token=${MARK}`,
];

describe('secrets never leave (WP-10)', () => {
  const corpus = SENTENCES.flatMap((sentence) =>
    SECRETS.map((secret) => sentence.replace('@', () => secret)),
  );

  it(`in ${corpus.length} texts of providers`, async () => {
    expect(corpus.length).to.be.at.least(200);
    for (const text of corpus) {
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
    for (const text of corpus) {
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

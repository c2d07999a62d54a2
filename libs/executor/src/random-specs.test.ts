import { expect } from 'chai';
import fc from 'fast-check';
import { emptyEnvironment, fixture, member } from '../../../test/support/executor-specs.ts';
import { buildExecutor } from './build-executor.ts';
import { admit } from './crd/crd-admission.ts';
import { reachableSigstoreRoot, unreachableKeyVault } from './pod/unreachable.ts';

const PEM = fixture('root-p256.pem');
const KEY = fixture('keys/p256.pub');

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e19,
    '',
    ' ',
    'x',
    'a.example',
    '*',
    [],
    {},
    [null],
    { a: 1 },
    PEM,
    '\ud800',
    '__proto__',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const text = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'a.example',
      'b.example/app',
      '*.example',
      'notation',
      'cosign',
      'ca',
      'static',
      'n1',
      '.*',
      '(',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);

/** Mostly the right thing, sometimes nothing, null, or anything. */
function mostly<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 120, arbitrary },
    { weight: 1, arbitrary: junk },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** An object with mostly these fields. */
function exact(fields: Fields): fc.Arbitrary<object> {
  return fc.record(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, mostly(value)])));
}

/** As {@link exact}; names come in capitals too. */
function object(fields: Fields): fc.Arbitrary<object> {
  return fc.tuple(exact(fields), fc.nat(9)).map(([record, dice]) => {
    const entries = Object.entries(record).map(([name, value]) => [
      dice === 0 ? name.toUpperCase() : name,
      value,
    ]);
    return Object.fromEntries(entries) as object;
  });
}

const list = (of: fc.Arbitrary<unknown>) => fc.array(mostly(of), { minLength: 1, maxLength: 2 });
const scope = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a.example', 'b.example', 'b.example/app', '*.example', 'c/d') },
  { weight: 1, arbitrary: text },
);
const identity = fc.constantFrom('*', 'x509.subject:C=US,ST=WA,O=V', 'x509.subject:C=US', 'did:x', 'x');
const repository = fc.constantFrom('*', 'a.example/b', 'b.example/c', 'a.example');
const inline = object({
  certs: fc.constantFrom(PEM, PEM, PEM, '', 'junk', KEY),
  keys: fc.constantFrom(KEY, '', '', PEM),
});
const vaultObject = object({ name: text, version: text });
const azurekeyvault = object({
  vaultURL: fc.constantFrom('https://v.example', 'http://v', '', 'x'),
  certificates: list(vaultObject),
  keys: list(vaultObject),
});
const provider = fc.oneof(
  { weight: 9, arbitrary: fc.record({ inline: mostly(inline) }) },
  { weight: 5, arbitrary: fc.record({ files: mostly(list(text)) }) },
  { weight: 1, arbitrary: fc.record({ azurekeyvault: mostly(azurekeyvault) }) },
  { weight: 1, arbitrary: fc.record({ nope: junk }) },
);
const certificate = fc
  .tuple(provider, fc.constantFrom({}, { type: 'ca' }, { type: 'tsa' }, { type: 'tsa' }, { type: null }))
  .map(([one, type]) => ({ ...one, ...type }));
const trustPolicy = object({
  scopes: list(scope),
  keys: fc.oneof(provider, fc.constant({})),
  certificateIdentity: fc.constantFrom('', 'a@b'),
  certificateIdentityRegex: fc.constantFrom('', '.*', '('),
  certificateOIDCIssuer: fc.constantFrom('', 'https://i'),
  ignoreTLog: fc.boolean(),
});
const verifier = fc.oneof(
  exact({
    name: text,
    type: fc.constant('notation'),
    parameters: object({
      certificates: list(certificate),
      scopes: fc.array(repository, { maxLength: 2 }),
      trustedIdentities: fc.array(identity, { maxLength: 2 }),
    }),
  }),
  exact({
    name: text,
    type: fc.constant('cosign'),
    parameters: object({ trustPolicies: list(trustPolicy) }),
  }),
);
const credential = object({
  provider: fc.constantFrom('static', 'azure'),
  username: text,
  password: text,
  identityBinding: object({ enabled: fc.boolean() }),
});
const store = exact({
  type: fc.constantFrom('registry-store', 'registry-store', 'filesystem-oci-store'),
  parameters: object({
    credential,
    caPem: fc.constantFrom(PEM, '', 'x'),
    caBase64: fc.constantFrom('', 'x', 'AAAA'),
    maxBlobBytes: fc.integer(),
    plainHttp: fc.boolean(),
  }),
});
const rule: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  rule: object({
    verifierName: text,
    threshold: fc.constantFrom(0, 1, 1.5, -1, 3),
    rules: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('rule'), { maxLength: 3 })),
  }),
})).rule;
// The root names no verifier.
const root = fc.oneof(
  rule,
  fc.array(rule, { minLength: 1, maxLength: 2 }).map((rules) => ({ rules })),
);
const policy = exact({ type: fc.constant('threshold-policy'), parameters: exact({ policy: root }) });
const spec = exact({
  scopes: list(scope),
  verifiers: fc.array(mostly(verifier), { minLength: 1, maxLength: 2 }),
  stores: fc.array(mostly(store), { minLength: 1, maxLength: 1 }),
  policyEnforcer: fc.oneof(fc.constant(null), policy),
  concurrency: fc.integer(),
});

describe('10,000 random specs', () => {
  it('never throw, never hang, and never succeed where the CRD refuses them', async () => {
    const environment = emptyEnvironment({
      keyVault: unreachableKeyVault,
      sigstoreRoot: reachableSigstoreRoot,
      deadlineMs: 5_000,
    });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(mostly(spec), async (written) => {
        const { valid, stored } = admit(written);
        for (const one of [written, ...(valid ? [stored] : [])]) {
          const outcome = await buildExecutor(member(one), environment);
          seen.add(outcome.code ?? outcome.reason);
          // A failure without a code is a deadline or a bug.
          expect(outcome.succeeded || outcome.code !== undefined, outcome.error).to.equal(true);
          expect(outcome.succeeded && !valid).to.equal(false);
          expect(outcome.succeeded).to.equal(outcome.error === undefined);
          expect(outcome.succeeded).to.equal(outcome.briefError === undefined);
        }
      }),
      { numRuns: 10_000, examples: [[undefined], [null], [{}]] },
    );
    // The shapes reach far into the builders, and some specs build.
    expect(seen.size).to.be.above(30);
    expect(seen.has('Built')).to.equal(true);
  }).timeout(120_000);
});

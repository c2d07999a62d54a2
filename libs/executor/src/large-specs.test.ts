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
import { admit } from './crd/crd-admission.ts';
import { judgeSet } from './judge-set.ts';

const MB = 1_000_000;
const PEM = fixture('root-p256.pem');
const LEAF = fixture('selfsigned-leaf.pem');

/** Specs of about 1 MB, each large in another place. */
const SPECS: Record<string, () => object> = {
  scopes: () => goodSpec({ scopes: many(40_000, (index) => `r${index}.example/app`) }),
  'odd scopes': () => goodSpec({ scopes: many(40_000, (index) => `R${index};example`) }),
  'one long scope': () => goodSpec({ scopes: [`r/${'a-'.repeat(MB / 2)}a`] }),
  'one long bad scope': () => goodSpec({ scopes: [`r/${'a'.repeat(MB / 2)}${'-'.repeat(MB / 2)}`] }),
  'a host of colons': () => goodSpec({ scopes: [':'.repeat(MB)] }),
  certificates: () => inline(PEM.repeat(MB / PEM.length)),
  'certificates that are no CA': () => inline(LEAF.repeat(1_000)),
  'text without blocks': () => inline('x'.repeat(MB)),
  'ends without beginnings': () => inline('\n-----END '.repeat(MB / 10)),
  'beginnings without ends': () => inline('-----BEGIN A-----\n'.repeat(MB / 18)),
  'blocks of another label': () => inline('-----BEGIN A-----\n-----END A-----\n'.repeat(MB / 34)),
  'white space': () => inline(`${' '.repeat(MB)}x`),
  'a long label': () => inline(`-----BEGIN ${'A'.repeat(MB)}-----\n-----END ${'A'.repeat(MB)}-----\n`),
  identities: () =>
    goodSpec({
      verifiers: [
        notation({ trustedIdentities: many(20_000, (index) => `did:x:${index}-${'y'.repeat(30)}`) }),
      ],
    }),
  'one long name': () =>
    goodSpec({ verifiers: [notation({ trustedIdentities: [`x509.subject:${'\\,'.repeat(MB / 2)}`] })] }),
  'trust policies': () =>
    goodSpec({
      verifiers: [
        {
          name: 'n1',
          type: 'cosign',
          parameters: { trustPolicies: many(8_000, (index) => keyless({ scopes: [`r${index}.example`] })) },
        },
      ],
    }),
  'one long pattern': () =>
    goodSpec({ verifiers: [cosign(keyless({ certificateIdentityRegex: '(a|b)*'.repeat(MB / 6) }))] }),
  'costly patterns': () =>
    goodSpec({
      verifiers: [
        {
          name: 'n1',
          type: 'cosign',
          parameters: {
            trustPolicies: many(8_000, (index) =>
              keyless({ scopes: [`r${index}`], certificateIdentityRegex: '(a{100}){10}' }),
            ),
          },
        },
      ],
    }),
  'a deep policy': () => goodSpec({ policyEnforcer: policy(deep(4_900)) }),
  'a wide policy': () =>
    goodSpec({ policyEnforcer: policy({ rules: many(30_000, () => ({ verifierName: 'n1' })) }) }),
  'unknown fields': () =>
    goodSpec({ stores: [store(Object.fromEntries(many(50_000, (index) => [`field-${index}`, 1])))] }),
  'a long name of a field': () => goodSpec({ stores: [store({ ['x'.repeat(MB)]: 1 })] }),
  'an unknown provider': () =>
    goodSpec({ verifiers: [notation({ certificates: [{ ['x'.repeat(MB)]: 1 }] })] }),
  'base64 of a bundle': () => goodSpec({ stores: [store({ caBase64: 'A'.repeat(MB) })] }),
  verifiers: () => goodSpec({ verifiers: many(1_000, () => notation({})) }),
};

describe('a spec of 1 MB is judged in less than a second of CPU', () => {
  for (const [name, make] of Object.entries(SPECS)) {
    it(`with ${name}`, async () => {
      let { seconds, outcome } = await judge(make());
      // What else the machine does costs CPU time too; a spec that is too expensive is so each time.
      for (let again = 0; seconds >= 1 && again < 2; again++) ({ seconds, outcome } = await judge(make()));
      expect(seconds, 'CPU seconds').to.be.below(1);
      expect(outcome.reason).not.to.be.oneOf(['BuildFailed', 'BuildTimedOut'], outcome.error);
      expect(Buffer.byteLength(outcome.error ?? '')).to.be.at.most(4_096);
    });
  }

  async function judge(spec: Parameters<typeof admit>[0]) {
    const before = process.cpuUsage();
    const { stored } = admit(spec);
    const outcome = await buildExecutor(member(stored), emptyEnvironment());
    judgeSet(new Map([['a', { member: member(stored), outcome }]]));
    const { user, system } = process.cpuUsage(before);
    return { seconds: (user + system) / MB, outcome };
  }
});

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function inline(certs: string): object {
  return goodSpec({ verifiers: [notation({ certificates: [{ inline: { certs } }] })] });
}

function keyless(fields: object): Record<string, unknown> {
  return { certificateIdentity: 'a@b', certificateOIDCIssuer: 'https://issuer.example', ...fields };
}

function policy(rule: object): object {
  return { type: 'threshold-policy', parameters: { policy: rule } };
}

function deep(levels: number): object {
  let rule: object = { verifierName: 'n1' };
  for (let level = 0; level < levels; level += 1) rule = { rules: [rule] };
  return rule;
}

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { dashPack, dashUnpack } from './dash-packer.ts';
import { reportName } from './report-name.ts';

const PAIRS = 100_000;
/** What Kubernetes takes as the name of a pod or an executor. */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

describe('reportName', () => {
  it('ID-1 names the report of an Executor by pod and name', () => {
    const name = reportName('ratify-7d9f-abcde', { kind: 'Executor', name: 'default' });
    expect(name).to.equal('ratify--7d9f--abcde-default');
  });

  it('ID-1 names the report of a NamespacedExecutor by pod, namespace and name', () => {
    const name = reportName('ratify-0', { kind: 'NamespacedExecutor', namespace: 'team-a', name: 'prod' });
    expect(name).to.equal('ratify--0-team--a-prod');
  });

  it('ID-1 round-trips 100,000 random legal pairs with dots, digits and runs of dashes, without a collision', () => {
    const next = randomNames({ seed: 1, minChars: 1, maxChars: 12 });
    const pairs = new Map<string, string>();
    for (let run = 0; run < PAIRS; run++) {
      const pod = next();
      const executor = next();
      const name = reportName(pod, { kind: 'Executor', name: executor });
      const pair = `${pod} ${executor}`;
      if (dashUnpack(name).join(' ') !== pair) expect.fail(`${pair} does not come back from ${name}`);
      if ((pairs.get(name) ?? pair) !== pair) expect.fail(`${pair} and ${pairs.get(name)} are both ${name}`);
      pairs.set(name, pair);
    }
    expect(pairs.size).to.be.greaterThan(PAIRS / 2);
  });

  const confusing: [string, string][] = [
    ['a', 'b-c'],
    ['a-b', 'c'],
    ['a--b', 'c'],
    ['a', 'b--c'],
    ['a.b', 'c'],
    ['a', 'b.c'],
    ['1', '2-3'],
    ['1-2', '3'],
    ['a---b', 'c'],
    ['a', 'b---c'],
  ];
  it('B44 gives each of the pairs that a plain separator confuses a name of its own', () => {
    const names = confusing.map(([pod, name]) => reportName(pod, { kind: 'Executor', name }));
    expect(new Set(names).size).to.equal(confusing.length);
    for (const [at, name] of names.entries()) expect(dashUnpack(name)).to.deep.equal(confusing[at]);
  });

  it('B44 keeps an Executor and a NamespacedExecutor of the same words apart', () => {
    const cluster = reportName('a', { kind: 'Executor', name: 'b-c' });
    const namespaced = reportName('a', { kind: 'NamespacedExecutor', namespace: 'b', name: 'c' });
    expect(cluster).not.to.equal(namespaced);
  });

  it('ID-2 B04 cuts a packed name over 253 characters and adds the whole hash, the same on every run', () => {
    const pod = 'p'.repeat(253);
    const executor = 'e'.repeat(253);
    const hash = createHash('sha256').update(dashPack(pod, executor)).digest();
    const name = reportName(pod, { kind: 'Executor', name: executor });
    expect(name).to.equal(`${'p'.repeat(200)}.${base32ByBigInt(hash)}`);
    expect(name).to.equal('p'.repeat(200) + '.knb7jhjoyg2qgzfjyh5fghsx5snpj55usyr66m3vahu55sbuksjq');
    expect(name).to.have.length(253);
  });

  it('ID-2 cuts back to a letter or digit', () => {
    const pod = `${'p'.repeat(198)}-.${'q'.repeat(53)}`;
    const name = reportName(pod.replace('-.', 'x-'), { kind: 'Executor', name: 'a' });
    expect(name).to.match(/^p{198}x\.[a-z2-7]{52}$/);
  });

  it('ID-2 leaves a packed name of exactly 253 characters as it is', () => {
    expect(reportName('p'.repeat(251), { kind: 'Executor', name: 'e' })).to.equal(`${'p'.repeat(251)}-e`);
    expect(reportName('p'.repeat(252), { kind: 'Executor', name: 'e' })).to.match(/^p{200}\.[a-z2-7]{52}$/);
  });

  it('ID-2 B04 gives 100,000 random long pairs legal names of at most 253 characters, without a collision', () => {
    const next = randomNames({ seed: 2, minChars: 4, maxChars: 37 });
    // All with the same beginning: only the hash tells them apart.
    const start = 'ratify-gatekeeper-provider-'.repeat(8);
    const pairs = new Set<string>();
    const names = new Set<string>();
    for (let run = 0; run < PAIRS; run++) {
      const pod = start + next();
      const executor = next();
      const name = reportName(pod, { kind: 'Executor', name: executor });
      if (name.length > 253 || !SUBDOMAIN.test(name)) expect.fail(`${name} is not a legal name`);
      pairs.add(`${pod} ${executor}`);
      names.add(name);
    }
    expect(names.size).to.equal(pairs.size);
    expect(pairs.size).to.be.greaterThan(PAIRS * 0.9);
  });

  it('ID-2 B04 gives any pair of legal names a legal name', () => {
    const next = randomNames({ seed: 3, minChars: 1, maxChars: 253 });
    for (let run = 0; run < 5000; run++) {
      const name = reportName(next(), { kind: 'NamespacedExecutor', namespace: 'team-a', name: next() });
      if (name.length > 253 || !SUBDOMAIN.test(name)) expect.fail(`${name} is not a legal name`);
    }
  });
});

/** Random legal names with many dashes, dots and digits; the same for the same seed. */
function randomNames({ seed, minChars, maxChars }: { seed: number; minChars: number; maxChars: number }) {
  const random = seededRandom(seed);
  const pick = (chars: string) => chars.charAt(Math.floor(random() * chars.length));
  return (): string => {
    const length = minChars + Math.floor(random() * (maxChars - minChars + 1));
    let name = '';
    while (name.length < length) {
      const edge = name === '' || name.length === length - 1;
      const last = name.at(-1);
      // A dot stands between letters or digits only.
      if (edge || last === '.') name += pick('ab1');
      else name += last === '-' ? pick('ab1--') : pick('ab1--.');
    }
    return name;
  };
}

/** RFC 4648 base32 in lower case, computed in another way than the product does. */
function base32ByBigInt(bytes: Uint8Array): string {
  const padded = BigInt(`0x${Buffer.from(bytes).toString('hex')}`) << 4n; // 256 bits are 51 fives and one bit.
  return Array.from({ length: 52 }, (_, at) => {
    const five = Number((padded >> BigInt(5 * (51 - at))) & 31n);
    return 'abcdefghijklmnopqrstuvwxyz234567'.charAt(five);
  }).join('');
}

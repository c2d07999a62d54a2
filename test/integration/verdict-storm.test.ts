import { expect } from 'chai';
import {
  pemSecret,
  StubVaultWorld,
  vaultExecutor,
} from '../../apps/executor-writer/test/stub-vault-world.ts';
import { fixture } from '../support/executor-specs.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.parse('2027-06-01T00:00:00Z');

describe('fifty pods and a key vault that throttles, in simulated time', function () {
  this.timeout(300_000);
  let world: StubVaultWorld;
  before(async () => {
    world = await StubVaultWorld.open();
  });
  after(() => world.close());

  for (const [name, retryAfter] of Object.entries({
    'with Retry-After': '45',
    'without Retry-After': undefined,
  })) {
    it(`make at most 12 calls each in 5 minutes of HTTP 429 ${name}, and never sooner than asked (WP-6, B13)`, async () => {
      const simulation = world.simulate(50, START_MS);
      world.stub.objects.set('secret/c', pemSecret(fixture('root-p256.pem')));
      await simulation.apply(vaultExecutor(1));
      const [first] = simulation.pods.map((pod) => pod.status('a'));
      expect(first).to.include({ succeeded: true, lastSucceededGeneration: 1 });
      await simulation.pass(10_000);

      const endsMs = simulation.nowMs + 5 * MINUTE_MS;
      const beginsMs = simulation.nowMs;
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      const throttled = {
        status: 429,
        headers,
        body: { error: { code: 'Throttled', message: 'slow down' } },
      };
      world.stub.objects.set('secret/c', () =>
        simulation.nowMs < endsMs ? throttled : pemSecret(fixture('root-p256.pem'), 'v2'),
      );
      world.stub.calls.objects['secret/c'] = 0;
      world.asked.clear();
      await simulation.apply(vaultExecutor(2));
      await simulation.pass(5 * MINUTE_MS - 1);

      expect(world.stub.calls.objects['secret/c']).to.be.within(100, 50 * 12);
      for (const times of world.asked.values()) {
        expect(times.length).to.be.at.most(12);
        for (const [index, at] of times.entries()) {
          const pauseMs = at - (times[index - 1] ?? -Infinity);
          expect(pauseMs).to.be.at.least(retryAfter === undefined ? 800 : 45_000);
        }
      }
      // They began together and do not come back together.
      const seconds = [...world.asked.values()].map((times) => Math.floor((times[2] ?? 0) / 250));
      expect(new Set(seconds).size).to.be.at.least(5);
      for (const pod of simulation.pods) {
        const status = pod.status('a');
        expect(status).to.include({
          succeeded: false,
          reason: 'ProviderThrottled',
          lastSucceededGeneration: 1,
        });
        expect(status?.error).to.match(/; generation 1 built in this pod$/);
        // One for each verdict, none for each try.
        expect(pod.writes).to.have.length(2);
        expect(status?.lastTransitionTime).to.equal(timeAt(beginsMs));
      }

      await simulation.pass(10 * MINUTE_MS);
      for (const pod of simulation.pods) {
        expect(pod.status('a')).to.include({ succeeded: true, lastSucceededGeneration: 2 });
        expect(pod.status('a')).to.have.property('recoveredAt');
        expect(pod.writes).to.have.length(3);
      }
    });
  }

  const timeAt = (ms: number) => `${new Date(START_MS + ms).toISOString().slice(0, 19)}Z`;
});

import { expect } from 'chai';
import fc from 'fast-check';
import { type BuildTimes, type EndedBuild, nextBuild } from './build-schedule.ts';

describe('nextBuild', () => {
  const times: BuildTimes = {
    retryBaseMs: 1000,
    retryMaxMs: 300_000,
    retrySlowAfterMs: 600_000,
    retrySlowMs: 900_000,
    recheckMs: 3_600_000,
  };
  const now = new Date('2026-08-06T10:00:00Z');
  const middle = () => 0.5;

  const cases: Record<string, { ended: EndedBuild; want: ReturnType<typeof nextBuild> }> = {
    'looks again after an hour when it built (FB-7)': {
      ended: ended({ succeeded: true }),
      want: { trigger: 'recheck', inMs: 3_600_000 },
    },
    'never retries a deterministic failure by time, but looks again after an hour (WP-6)': {
      ended: ended({ succeeded: false, retryable: false }),
      want: { trigger: 'recheck', inMs: 3_600_000 },
    },
    'retries a passing failure after a second (WP-6)': {
      ended: ended({ succeeded: false, retryable: true }, { failures: 1 }),
      want: { trigger: 'retry', inMs: 1000 },
    },
    'doubles the wait with each failure': {
      ended: ended({ succeeded: false, retryable: true }, { failures: 4 }),
      want: { trigger: 'retry', inMs: 8000 },
    },
    'waits five minutes at most in the first ten': {
      ended: ended({ succeeded: false, retryable: true }, { failures: 400, failingForMs: 599_999 }),
      want: { trigger: 'retry', inMs: 300_000 },
    },
    'tries at most four times an hour after ten minutes': {
      ended: ended({ succeeded: false, retryable: true }, { failures: 10, failingForMs: 600_000 }),
      want: { trigger: 'retry', inMs: 990_000 },
    },
    'waits as long as the provider asks': {
      ended: ended({ succeeded: false, retryable: true, retryAfterMs: 60_000 }),
      want: { trigger: 'retry', inMs: 63_000 },
    },
    'does not wait for days because a provider asks for it': {
      ended: ended({ succeeded: false, retryable: true, retryAfterMs: 86_400_000 }),
      want: { trigger: 'retry', inMs: 3_780_000 },
    },
    'builds again within a minute of the next end date (FB-7)': {
      ended: ended({
        succeeded: true,
        material: [
          { notAfter: '2026-08-06T09:00:00Z' },
          { notAfter: '2026-08-06T10:20:00Z' },
          { notAfter: '2026-08-06T10:10:00Z' },
          {},
        ],
      }),
      want: { trigger: 'expiry', inMs: 600_000 + 1000 + 15_000 },
    },
    'does not wake for an end date that is further away than the re-check': {
      ended: ended({ succeeded: true, material: [{ notAfter: '2026-08-07T10:00:00Z' }] }),
      want: { trigger: 'recheck', inMs: 3_600_000 },
    },
  };

  for (const [name, tc] of Object.entries(cases)) {
    it(name, () => expect(nextBuild(tc.ended, times, middle)).to.deep.equal(tc.want));
  }

  it('makes at most 12 tries in five minutes and 4 an hour after ten, whatever chance says (WP-6)', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (chance) => {
          const tries = triesOf(() => Number(chance.next().value), 2 * 3_600_000);
          expect(tries.filter((at) => at <= 300_000)).to.have.length.at.most(12);
          const first = tries.find((at) => at >= 600_000) ?? 0;
          expect(tries.filter((at) => at > first && at <= first + 3_600_000)).to.have.length.at.most(4);
        },
      ),
    );
  });

  function triesOf(random: () => number, untilMs: number): number[] {
    const tries = [0];
    for (let at = 0; at < untilMs; tries.push(at)) {
      const failing = ended(
        { succeeded: false, retryable: true },
        { failures: tries.length, failingForMs: at },
      );
      at += nextBuild(failing, times, random).inMs;
    }
    return tries;
  }

  function ended(outcome: Partial<EndedBuild['outcome']>, rest: Partial<EndedBuild> = {}): EndedBuild {
    return {
      outcome: { succeeded: true, retryable: false, material: [], ...outcome },
      failures: 1,
      failingForMs: 0,
      now,
      ...rest,
    };
  }
});

import { expect } from 'chai';
import fc from 'fast-check';
import { backoffMs } from './backoff.ts';

describe('backoffMs', () => {
  const backoff = { baseMs: 1000, maxMs: 30_000, jitter: 0.2 };

  const cases: Record<string, { attempt: number; random: number; want: number }> = {
    'begins with the base': { attempt: 1, random: 0.5, want: 1000 },
    'doubles with each attempt': { attempt: 4, random: 0.5, want: 8000 },
    'stops doubling at the ceiling': { attempt: 6, random: 0.5, want: 30_000 },
    'does not overflow after a thousand attempts': { attempt: 1100, random: 0.5, want: 30_000 },
    'shortens by the jitter at most': { attempt: 2, random: 0, want: 1600 },
    'lengthens by less than the jitter': { attempt: 2, random: 1, want: 2400 },
  };
  for (const [name, { attempt, random, want }] of Object.entries(cases)) {
    it(name, () => {
      expect(backoffMs(attempt, backoff, () => random)).to.be.closeTo(want, 1e-9);
    });
  }

  it('stays between its bounds for every attempt and every random number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (n, r) => {
          expect(backoffMs(n, backoff, () => r)).to.be.within(800, 36_000);
        },
      ),
    );
  });

  for (const attempt of [0, -1, 1.5, Number.NaN]) {
    it(`refuses attempt ${attempt}`, () => {
      expect(() => backoffMs(attempt, backoff, () => 0)).to.throw(RangeError, 'whole number of at least 1');
    });
  }
});

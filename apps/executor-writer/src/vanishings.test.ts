import { expect } from 'chai';
import { Vanishings } from './vanishings.ts';

describe('Vanishings (ID-9)', () => {
  const SECOND = 1000;
  const MINUTE = 60 * SECOND;

  /** Notes that `key` vanished at each of `seconds`, and says how long to wait after the last. */
  function pauseAfter(seconds: readonly number[], vanishings = new Vanishings()): number {
    for (const at of seconds) vanishings.note('x', at * SECOND);
    return vanishings.pauseMs('x', (seconds.at(-1) ?? 0) * SECOND);
  }

  it('makes a report anew at once that vanished now and then', () => {
    expect(pauseAfter([0, 10, 20, 30])).to.equal(0);
    expect(pauseAfter([0, 20, 40, 60, 80, 100, 120])).to.equal(0);
  });

  it('waits a minute after five times within a minute', () => {
    expect(pauseAfter([0, 1, 2, 3, 4])).to.equal(MINUTE);
  });

  it('counts the pause down', () => {
    const vanishings = new Vanishings();
    pauseAfter([0, 1, 2, 3, 4], vanishings);
    expect(vanishings.pauseMs('x', 24 * SECOND)).to.equal(40 * SECOND);
    expect(vanishings.pauseMs('x', 64 * SECOND)).to.equal(0);
  });

  it('doubles the pause each time it vanishes again, up to ten minutes', () => {
    const vanishings = new Vanishings();
    pauseAfter([0, 1, 2, 3, 4], vanishings);
    const pauses = [65, 190, 435, 920, 1525].map((at) => pauseAfter([at], vanishings) / MINUTE);
    expect(pauses).to.deep.equal([2, 4, 8, 10, 10]);
  });

  it('begins anew after ten quiet minutes', () => {
    const vanishings = new Vanishings();
    pauseAfter([0, 1, 2, 3, 4], vanishings);
    expect(pauseAfter([64 + 600], vanishings)).to.equal(0);
  });

  it('keeps the reports apart, and forgets', () => {
    const vanishings = new Vanishings();
    pauseAfter([0, 1, 2, 3, 4], vanishings);
    expect(vanishings.pauseMs('y', 4 * SECOND)).to.equal(0);
    vanishings.forget('x');
    expect(vanishings.pauseMs('x', 4 * SECOND)).to.equal(0);
  });
});

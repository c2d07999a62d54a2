import { expect } from 'chai';
import { WriteBudget } from './write-budget.ts';

describe('WriteBudget', () => {
  it('SC-2: gives a hundred writes at once and ten a second from then on', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 100 }, 0);
    const granted = (nowMs: number) => {
      let count = 0;
      while (budget.take(nowMs) === 0) count++;
      return count;
    };
    expect(granted(0)).to.equal(100);
    expect(granted(1000)).to.equal(10);
    expect(granted(1500)).to.equal(5);
    expect(granted(3_600_000), 'no more than the burst').to.equal(100);
  });

  it('says in how many milliseconds the next write may be', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 1 }, 0);
    expect([budget.take(0), budget.take(0), budget.take(40), budget.take(100)]).to.deep.equal([
      0, 100, 60, 0,
    ]);
  });
});

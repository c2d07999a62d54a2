import { expect } from 'chai';
import { WriteBudget } from './write-budget.ts';

describe('WriteBudget', () => {
  it('SC-2: gives a hundred writes at once and ten a second from then on', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 100 }, 0);
    const granted = (nowMs: number) => {
      let count = 0;
      while (budget.claim('any', 'progress', nowMs) === 0) count++;
      return count;
    };
    expect(granted(0)).to.equal(100);
    expect(granted(1000)).to.equal(10);
    expect(granted(1500)).to.equal(5);
    expect(granted(3_600_000), 'no more than the burst').to.equal(100);
  });

  it('says in how many milliseconds the next write may be', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 1 }, 0);
    budget.claim('a', 'progress', 0);
    const claims = [0, 40, 100].map((nowMs) => budget.claim('b', 'progress', nowMs));
    expect(claims).to.deep.equal([100, 60, 0]);
  });

  it('SC-2: keeps each its own time, so that a crowd comes back one by one, and twice at most', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 100 }, 0);
    let line = Array.from({ length: 300 }, (_, at) => ({ key: `executor-${at}`, atMs: 0 }));
    const wrote: number[] = [];
    let claims = 0;
    while (line.length > 0) {
      const [first, ...rest] = line.toSorted((a, b) => a.atMs - b.atMs);
      if (first === undefined) break;
      const waitMs = budget.claim(first.key, 'progress', first.atMs);
      claims++;
      if (waitMs === 0) wrote.push(first.atMs);
      line = waitMs === 0 ? rest : [...rest, { ...first, atMs: first.atMs + waitMs }];
    }
    expect(claims).to.be.at.most(520);
    expect(wrote.at(-1)).to.be.within(20_000, 20_100);
  });

  it('lets transitions go first, whenever they come', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 1 }, 0);
    budget.claim('first', 'progress', 0);
    expect(budget.claim('slow', 'progress', 0)).to.equal(100);
    expect(budget.claim('quick', 'transition', 50)).to.equal(50);
    expect(budget.claim('slow', 'progress', 100), 'the token is not for it').to.equal(100);
    expect(budget.claim('quick', 'transition', 100)).to.equal(0);
    expect(budget.claim('slow', 'progress', 200)).to.equal(0);
  });

  it('moves a key that has become a transition to the front, and has it wait once', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 1 }, 0);
    for (const key of ['first', 'a', 'b']) budget.claim(key, 'progress', 0);
    expect(budget.claim('b', 'transition', 0)).to.equal(100);
    expect(budget.claim('a', 'progress', 0)).to.equal(200);
  });

  it('closes the line behind a key that leaves', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 1 }, 0);
    for (const key of ['first', 'a', 'b']) budget.claim(key, 'progress', 0);
    budget.leave('a');
    budget.leave('nobody');
    expect(budget.claim('b', 'progress', 0)).to.equal(100);
  });

  it('lets writes that could not wait be paid by those that can', () => {
    const budget = new WriteBudget({ perSecond: 10, burst: 1 }, 0);
    for (const nowMs of [0, 0, 0]) budget.spend(nowMs);
    expect(budget.claim('a', 'transition', 0)).to.equal(300);
  });
});

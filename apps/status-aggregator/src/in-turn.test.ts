import { expect } from 'chai';
import { inTurn } from './in-turn.ts';

describe('inTurn', () => {
  it('lets everything else go on between two callers, who keep their order', async () => {
    const turn = inTurn();
    const seen: string[] = [];
    const timer = setInterval(() => seen.push('else'), 0);
    const busy = async (name: string) => {
      await turn();
      seen.push(name);
      const until = performance.now() + 5;
      while (performance.now() < until);
    };
    await Promise.all(['a', 'b', 'c'].map(busy));
    clearInterval(timer);
    expect(seen.filter((one) => one !== 'else')).to.deep.equal(['a', 'b', 'c']);
    const between = ['a', 'b'].map((name) => seen[seen.indexOf(name) + 1]);
    expect(between).to.deep.equal(['else', 'else']);
  });
});

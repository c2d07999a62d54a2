import { expect } from 'chai';
import { map, take } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { resync } from './resync.ts';

describe('resync', () => {
  it('RP-10: beats with the period, each wait spread anew by ±10 %', () => {
    virtually(({ expectObservable }) => {
      const randoms = [0, 0.5, 1];
      const beats = resync({ periodMs: 100, random: () => randoms.shift() ?? 0.5 }).pipe(
        map(() => 'x'),
        take(3),
      );
      expectObservable(beats).toBe('90ms x 99ms x 109ms (x|)');
    });
  });
});

function virtually(test: Parameters<TestScheduler['run']>[0]): void {
  new TestScheduler((actual, expected) => {
    expect(actual).to.deep.equal(expected);
  }).run(test);
}

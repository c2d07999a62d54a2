import { expect } from 'chai';
import fc from 'fast-check';
import { isOlderVersion } from './resource-version.ts';

describe('isOlderVersion', () => {
  it('compares whole numbers of any length by value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 2n ** 80n }), (a, b) => {
        expect(isOlderVersion(`${a}`, `${b}`)).to.equal(a < b);
      }),
    );
  });

  for (const [a, b] of [
    [undefined, '5'],
    ['5', undefined],
    ['abc', '5'],
    ['5', 'abc'],
    ['', '5'],
    ['007', '8'],
  ]) {
    it(`knows nothing about ${a} and ${b}`, () => {
      expect(isOlderVersion(a, b)).to.equal(false);
    });
  }
});

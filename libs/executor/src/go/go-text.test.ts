import { expect } from 'chai';
import { compareBytes } from './go-sort.ts';
import { goTrim } from './go-trim.ts';

describe('goTrim', () => {
  it('removes what Unicode calls white space, U+0085 included', () => {
    expect(goTrim('\u0085\u00a0\u2028\t a b \v\u3000')).to.equal('a b');
  });
  it('keeps what only JavaScript trims', () => expect(goTrim('\ufeffa\u200b')).to.equal('\ufeffa\u200b'));
  it('makes blank text empty', () => expect(goTrim(' \n ')).to.equal(''));
});

describe('compareBytes', () => {
  it('orders as UTF-8 does, where UTF-16 differs', () => {
    expect(['\u{1f600}', '\uff5e', 'b', 'B', 'ba'].toSorted(compareBytes)).to.deep.equal([
      'B',
      'b',
      'ba',
      '\uff5e',
      '\u{1f600}',
    ]);
  });
});

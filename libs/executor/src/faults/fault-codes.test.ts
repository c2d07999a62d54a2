import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { WARNING_CODES } from '../build/warning-codes.ts';
import { FAULT_CODES } from './fault-codes.ts';

const README = new URL('../../../../test/fixtures/vectors/README.md', import.meta.url);

describe('fault codes', () => {
  it('are the categories of the recorded verdicts, all of them and no others', () => {
    const listed = [
      ...readFileSync(README)
        .toString()
        .matchAll(/^\| `(\w+)` \|/gm),
    ].map(([, code]) => code);
    const categories = listed.filter((code) => /^[A-Z]/.test(code ?? ''));
    expect(Object.keys(FAULT_CODES).toSorted(byText)).to.deep.equal(
      categories.toSorted((a, b) => byText(a ?? '', b ?? '')),
    );
  });

  for (const [code, { expected, next }] of Object.entries(FAULT_CODES)) {
    it(`${code} says what is expected, as a clause, and what to do, as a sentence`, () => {
      expect(expected).to.match(/^[^A-Z ].*[^.]$|^AZURE|^PEM|^Sigstore/);
      expect(next).to.match(/^[A-Z].*\.$/);
    });
  }
});

describe('warning codes', () => {
  for (const [code, text] of Object.entries(WARNING_CODES)) {
    it(`${code} is a short word with sentences`, () => {
      expect(code).to.match(/^[A-Z][A-Za-z]{4,40}$/);
      expect(text).to.match(/^[A-Z].*\.$/);
    });
  }
});

const byText = (a: string, b: string) => (a < b ? -1 : 1);

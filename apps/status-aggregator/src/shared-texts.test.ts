import { expect } from 'chai';
import { SharedTexts } from './shared-texts.ts';

describe('SharedTexts', () => {
  it('gives the objects their own words back', () => {
    const texts = new SharedTexts(10);
    const said = { reason: 'Built', generation: 2, error: 'x'.repeat(200), list: ['a'] };
    const copy = structuredClone(said);
    expect(texts.in(said)).to.equal(said);
    expect(said).to.deep.equal(copy);
  });

  it('keeps one copy of what many say, and none of long texts', () => {
    const texts = new SharedTexts(10);
    for (let at = 0; at < 5; at++) texts.in({ reason: 'Built', error: `${at}`.repeat(200) });
    expect(texts.size).to.equal(1);
  });

  it('never grows beyond its bound', () => {
    const texts = new SharedTexts(10);
    for (let at = 0; at < 100; at++) expect(texts.of(`text ${at}`)).to.equal(`text ${at}`);
    expect(texts.size).to.be.at.most(10);
  });
});

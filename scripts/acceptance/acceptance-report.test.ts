import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../check/run-command.ts';
import { type AcceptanceId, acceptanceReport } from './acceptance-report.ts';

describe('acceptanceReport', () => {
  const ids: readonly AcceptanceId[] = [
    { id: 'XX-1', level: 'MUST', words: 'One' },
    { id: 'XX-12', level: 'MUST', words: 'Twelve' },
    { id: 'X3', level: 'SHOULD', words: 'Three' },
  ];
  const report = (...titles: string[]) =>
    acceptanceReport(
      ids,
      titles.map((title, at) => ({ path: `${at}.test.ts`, title })),
    ).split('\n');

  it('lists the ids with a test, and the files where, and those without', () => {
    expect(report('XX-1 holds', 'still XX-1', 'X3: yes')).to.deep.equal([
      'With a test:',
      '  XX-1   One  <- 0.test.ts, 1.test.ts',
      '  X3     Three  <- 2.test.ts',
      '',
      'Without a test:',
      '  XX-12  Twelve',
      '',
      '2 of 3 ids have a test; 1 that MUST have one have none',
      '',
    ]);
  });

  it('takes no id for a part of another', () => {
    const lines = report('XX-12', 'AXX-1', 'XX-1-b');
    expect(lines).to.include('  XX-1   One');
    expect(lines).to.include('  X3     Three (SHOULD)');
  });

  it('names an id that is not in the list', () => {
    expect(report('XX-7 holds')).to.include('not in the list: XX-7 in 0.test.ts');
  });

  it('has a list in which every id stands once, with words and a level', () => {
    const path = join(ROOT, 'test', 'acceptance', 'ids.json');
    const listed: readonly AcceptanceId[] = JSON.parse(readFileSync(path, 'utf8'));
    expect(new Set(listed.map(({ id }) => id)).size)
      .to.equal(listed.length)
      .and.be.greaterThan(170);
    for (const { id, level, words } of listed) {
      expect(id).to.match(/^[A-Z]+-?\d+[a-z]?$/);
      expect(level).to.be.oneOf(['MUST', 'SHOULD']);
      expect(words, id).to.match(/^\S.{3,}\S$/);
    }
  });
});

import { expect } from 'chai';
import { testTitles } from './test-titles.ts';

describe('testTitles', () => {
  const text = [
    "describe('a suite', () => {",
    '  const rows = {',
    "    'a row': { code: 1 },",
    '    "a row that isn\'t short":',
    '      2,',
    '  };',
    "  const list = [{ name: 'a named row', code: 'no title' }];",
    "  it('a test', () => {});",
    '  it(',
    '    `a long ${word} test`,',
    '    () => {},',
    '  );',
    "  it.skip('a skipped test', () => {});",
    "  // it('a test in a comment', () => {});",
    "  const other = 'a plain text';",
  ].join('\n');

  it('finds suites, tests and rows of tables, but neither skipped tests nor comments', () => {
    const titles = testTitles([{ path: 'libs/x/src/a.test.ts', text }]).map(({ title }) => title);
    expect(titles).to.have.members([
      'a suite',
      'a row',
      "a row that isn't short",
      'a named row',
      'a test',
      'a long ${word} test',
    ]);
  });

  it('looks into tests, benchmarks and soak scripts only', () => {
    const paths = ['a.test.ts', 'test/bench/a.ts', 'test/soak/a.ts', 'libs/x/src/a.ts', 'test/support/a.ts'];
    const found = testTitles(paths.map((path) => ({ path, text: "it('a test', () => {});" })));
    expect(found.map(({ path }) => path)).to.deep.equal(['a.test.ts', 'test/bench/a.ts', 'test/soak/a.ts']);
  });
});

import { expect } from 'chai';
import { CHECKS } from './checks.ts';
import { runChecks } from './run-checks.ts';

describe('runChecks', () => {
  const good = { name: 'good', failures: async () => '' };
  const bad = { name: 'bad', failures: async () => 'x.ts:1 is wrong\n' };
  const broken = { name: 'broken', failures: () => Promise.reject(new Error('no tool')) };

  it('PR13 runs every check, also after one that failed, and lists all failures at the end', async () => {
    const text: string[] = [];
    expect(await runChecks([bad, good, broken], (part) => text.push(part))).to.equal(false);
    const all = text.join('').replaceAll(/\(\d+\.\d s\)/g, '(… s)');
    expect(all).to.equal(
      [
        'bad … FAILED (… s)\ngood … ok (… s)\nbroken … FAILED (… s)\n',
        '\n--- bad\nx.ts:1 is wrong\n',
        '\n--- broken\nno tool\n',
        '\n2 of 3 failed: bad, broken\n',
      ].join(''),
    );
  });

  it('says when all is well', async () => {
    const text: string[] = [];
    expect(await runChecks([good], (part) => text.push(part))).to.equal(true);
    expect(text.at(-1)).to.equal('\nall checks passed\n');
  });

  it('PR13 has types, lint, format, unit tests, generated files and hidden Unicode among the checks', () => {
    expect(CHECKS.map(({ name }) => name)).to.include.members([
      'types',
      'lint',
      'format',
      'unit tests',
      'generated files',
      'hidden Unicode',
    ]);
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Generator, staleFiles, updateFiles } from './generated-files.ts';

describe('generated files', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'generated-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const generators: readonly Generator[] = [
    async () => [{ path: 'a.md', text: 'A\n' }],
    async () => [{ path: 'b.md', text: 'B\n' }],
  ];

  it('PR11 are named when they are missing or edited by hand', async () => {
    await writeFile(join(root, 'a.md'), 'A, edited\n');
    expect(await staleFiles(root, generators)).to.deep.equal([
      'a.md is not what its sources give: run "npm run fix"',
      'b.md is not what its sources give: run "npm run fix"',
    ]);
  });

  it('PR11 are written by an update, and then no more stale', async () => {
    await writeFile(join(root, 'a.md'), 'A\n');
    expect(await updateFiles(root, generators)).to.deep.equal(['b.md']);
    expect(await readFile(join(root, 'b.md'), 'utf8')).to.equal('B\n');
    expect(await staleFiles(root, generators)).to.deep.equal([]);
    expect(await updateFiles(root, generators)).to.deep.equal([]);
  });

  it('PR11 CF-1 of this project, the table of settings among them, are what their sources give', async () => {
    expect(await staleFiles()).to.deep.equal([]);
  });
});

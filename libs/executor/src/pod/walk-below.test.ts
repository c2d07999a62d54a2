import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { walkBelow } from './walk-below.ts';

describe('walkBelow', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'walk-below-'));
    await mkdir(join(root, 'certs'));
    await writeFile(join(root, 'certs', 'a.pem'), 'a');
  });
  after(() => rm(root, { recursive: true }));

  const paths: Record<string, { path: string; found: readonly string[] }> = {
    'a folder, under the names of the spec': { path: '/certs', found: ['/certs/a.pem'] },
    'a file': { path: '/certs/a.pem', found: ['/certs/a.pem'] },
    'a relative path from the root': { path: 'certs', found: ['certs/a.pem'] },
    'nothing for a path that exists outside of the root only': { path: tmpdir(), found: [] },
    'nothing for an empty path': { path: '', found: [] },
  };
  for (const [name, { path, found }] of Object.entries(paths)) {
    it(`finds ${name}`, async () => {
      const { files } = await walkBelow(root)(path);
      expect(files.map((file) => file.path)).to.deep.equal(found);
      for (const { realPath } of files) expect(realPath).to.equal(join(root, 'certs', 'a.pem'));
    });
  }

  it('says what to watch by its place on this disk', async () => {
    expect((await walkBelow(`${root}/`)('/missing')).watched).to.deep.equal([join(root, 'missing')]);
  });
});

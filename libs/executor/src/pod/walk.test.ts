import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readCertificateFile } from './read-certificate-file.ts';
import { walk } from './walk.ts';

describe('walk', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'walk-'));
    mkdirSync(join(folder, 'certs/deep'), { recursive: true });
    mkdirSync(join(folder, 'empty'));
    for (const name of ['certs/b.pem', 'certs/a.pem', 'certs/.hidden', 'certs/deep/c.pem', 'file.pem']) {
      writeFileSync(join(folder, name), name);
    }
    symlinkSync('certs', join(folder, 'link-to-folder'));
    symlinkSync('file.pem', join(folder, 'link-to-file'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    symlinkSync('loop', join(folder, 'loop'));
    mkdirSync(join(folder, 'links'));
    symlinkSync('../certs', join(folder, 'links/folder'));
    symlinkSync('../file.pem', join(folder, 'links/one'));
    symlinkSync('../file.pem', join(folder, 'links/two'));
    // A mounted Secret: a dated folder, a link to it, and a link to each file through that.
    mkdirSync(join(folder, 'mount/..2026'), { recursive: true });
    writeFileSync(join(folder, 'mount/..2026/ca.crt'), 'ca');
    symlinkSync('..2026', join(folder, 'mount/..data'));
    symlinkSync('..data/ca.crt', join(folder, 'mount/ca.crt'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const cases: Record<string, { path: string; files?: string[]; skipped?: string }> = {
    'finds a file': { path: 'file.pem', files: ['file.pem'] },
    'finds all below a folder, hidden ones too, in the order of names': {
      path: 'certs',
      files: ['certs/.hidden', 'certs/a.pem', 'certs/b.pem', 'certs/deep/c.pem'],
    },
    'follows a link to a file': { path: 'link-to-file', files: ['link-to-file'] },
    'loads nothing from a link to a folder': { path: 'link-to-folder', skipped: 'link to a folder' },
    'walks a link to a folder that ends in a slash': {
      path: 'link-to-folder/',
      files: ['.hidden', 'a.pem', 'b.pem', 'deep/c.pem'].map((name) => `link-to-folder/${name}`),
    },
    'follows no link to a folder inside, and reads one file behind two links once': {
      path: 'links',
      files: ['links/one'],
    },
    'reads a mounted Secret once': { path: 'mount', files: ['mount/..2026/ca.crt'] },
    'skips what is missing': { path: 'nope', skipped: 'missing' },
    'skips a link that leads nowhere': { path: 'dangling', skipped: 'no files' },
    'skips a link to itself': { path: 'loop', skipped: 'no files' },
    'says that a folder is empty': { path: 'empty', skipped: 'no files' },
    'takes a pattern as a path': { path: 'certs/*.pem', skipped: 'missing' },
  };
  for (const [name, { path, files = [], skipped }] of Object.entries(cases)) {
    it(name, async () => {
      const found = await walk(join(folder, path) + (path.endsWith('/') ? '' : ''));
      expect(found.files.map((file) => file.path.slice(folder.length + 1))).to.deep.equal(files);
      expect(found.skipped).to.equal(skipped);
      expect(found.watched.length).to.be.above(0);
    });
  }

  it('watches nothing for an empty path', async () => {
    expect(await walk('')).to.deep.equal({ files: [], watched: [], skipped: 'missing' });
  });

  it('survives a NUL byte in a path', async () => {
    expect((await walk('/a\0b')).files).to.deep.equal([]);
  });

  it('watches every file and folder that it looked at', async () => {
    const { watched } = await walk(join(folder, 'mount'));
    const names = watched.map((path) => path.slice(folder.length + 1));
    expect(names).to.include.members(['mount', 'mount/..data', 'mount/ca.crt', 'mount/..2026/ca.crt']);
  });

  it('skips a folder that may not be read', async function () {
    if (process.getuid?.() === 0) this.skip();
    chmodSync(join(folder, 'empty'), 0);
    expect((await walk(join(folder, 'empty'))).files).to.deep.equal([]);
    chmodSync(join(folder, 'empty'), 0o755);
  });
});

describe('readCertificateFile', () => {
  it('reads an empty device as empty', async () => {
    expect(await readCertificateFile('/dev/null')).to.have.length(0);
  });

  it('refuses what has no end', async () => {
    let message = '';
    await readCertificateFile('/dev/zero').catch((error: unknown) => (message = String(error)));
    expect(message).to.include('more than 8388608 bytes');
  });
});

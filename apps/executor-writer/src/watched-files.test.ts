import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Look, WatchedFiles } from './watched-files.ts';

describe('WatchedFiles', () => {
  let directory: string;
  const LONG_AGO = Date.parse('2100-01-01');

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'watched-files-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const at = (...parts: string[]) => join(directory, ...parts);

  it('says nothing while nothing changes', async () => {
    await writeFile(at('a.crt'), 'a');
    const files = new WatchedFiles();
    await files.follow('x', [at('a.crt'), at('missing')], LONG_AGO);
    expect(await files.changed()).to.deep.equal([]);
  });

  const changes: Record<string, { path: () => string; change: () => Promise<unknown> }> = {
    'sees new content': { path: () => at('a.crt'), change: () => writeFile(at('a.crt'), 'other') },
    'sees a file that appears': { path: () => at('new.crt'), change: () => writeFile(at('new.crt'), 'n') },
    'sees a file that vanishes': { path: () => at('a.crt'), change: () => rm(at('a.crt')) },
    'sees a file that is added to a folder': { path: () => at(), change: () => writeFile(at('b.crt'), 'b') },
    'sees the swapped link of a mounted Secret': {
      path: () => at('mount', 'tls.crt'),
      change: async () => {
        await symlink('v2', at('mount', '..data_tmp'));
        await rename(at('mount', '..data_tmp'), at('mount', '..data'));
      },
    },
  };

  for (const [name, tc] of Object.entries(changes)) {
    it(`${name}, once`, async () => {
      await writeFile(at('a.crt'), 'a');
      await mountSecret();
      const files = new WatchedFiles();
      await files.follow('x', [tc.path()], LONG_AGO);
      await files.follow('other', [at('unrelated')], LONG_AGO);
      await tc.change();
      expect(await files.changed()).to.deep.equal(['x']);
      expect(await files.changed()).to.deep.equal([]);
    });
  }

  it('says nothing of a key that is followed anew, or forgotten, while it looks', async () => {
    const looks: PromiseWithResolvers<Look>[] = [];
    const files = new WatchedFiles(() => {
      const look = Promise.withResolvers<Look>();
      looks.push(look);
      return look.promise;
    });
    const following = files.follow('x', ['/f'], LONG_AGO);
    looks[0]?.resolve({ mark: 'old' });
    await following;
    const asked = files.changed();
    const again = files.follow('x', ['/f'], LONG_AGO);
    looks[2]?.resolve({ mark: 'new' });
    await again;
    looks[1]?.resolve({ mark: 'between' });
    expect(await asked).to.deep.equal([]);
    const next = files.changed();
    looks[3]?.resolve({ mark: 'new' });
    expect(await next).to.deep.equal([]);
    const last = files.changed();
    files.forget('x');
    looks[4]?.resolve({ mark: 'newer' });
    expect(await last).to.deep.equal([]);
  });

  it('counts a file that changed during the build as changed', async () => {
    const files = new WatchedFiles(async () => ({ mark: 'm1', changedAtMs: 500 }));
    await files.follow('x', ['/f'], 400);
    expect(await files.changed()).to.deep.equal(['x']);
  });

  it('asks for one more build at most when a file says it changed in the future', async () => {
    const files = new WatchedFiles(async () => ({ mark: 'm1', changedAtMs: 1e15 }));
    await files.follow('x', ['/f'], 400);
    await files.changed();
    await files.follow('x', ['/f'], 800);
    expect(await files.changed()).to.deep.equal([]);
  });

  it('forgets', async () => {
    let mark = 'm1';
    const files = new WatchedFiles(async (): Promise<Look> => ({ mark }));
    await files.follow('x', ['/f'], LONG_AGO);
    files.forget('x');
    mark = 'm2';
    expect(await files.changed()).to.deep.equal([]);
  });

  async function mountSecret() {
    await mkdir(at('mount', 'v1'), { recursive: true });
    await mkdir(at('mount', 'v2'), { recursive: true });
    await writeFile(at('mount', 'v1', 'tls.crt'), 'same');
    await writeFile(at('mount', 'v2', 'tls.crt'), 'same');
    await symlink('v1', at('mount', '..data'));
    await symlink(join('..data', 'tls.crt'), at('mount', 'tls.crt'));
  }
});

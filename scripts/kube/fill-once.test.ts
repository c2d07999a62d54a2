import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fillOnce } from './fill-once.ts';

describe('fillOnce', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fill-once-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Higher than any process id that Linux or macOS gives out. */
  const DEAD = 99_999_999;

  it('works once when two callers ask at the same time, and tells the second why it waits', async () => {
    let fills = 0;
    const lines: string[] = [];
    const both = [1, 2].map(() =>
      fillOnce({
        ...target(),
        log: (line) => lines.push(line),
        fill: async (into) => {
          fills += 1;
          await writeFile(join(into, 'content'), 'made');
        },
      }),
    );
    await Promise.all(both);
    expect(fills).to.equal(1);
    expect(lines).to.deep.equal([`waiting for process ${process.pid}, which makes result`]);
    expect(await readFile(join(root, 'result', 'content'), 'utf8')).to.equal('made');
    expect(await readdir(root)).to.deep.equal(['result']);
  });

  it('publishes nothing when the work fails, and lets the next caller try', async () => {
    const fill = () => Promise.reject(new Error('no network'));
    const error: unknown = await fillOnce({ ...target(), fill }).catch((reason: unknown) => reason);
    expect(String(error)).to.equal('Error: no network');
    expect(await readdir(root)).to.deep.equal([]);
    await fillOnce({ ...target(), fill: (into) => writeFile(join(into, 'content'), 'made') });
    expect(existsSync(join(root, 'result', 'content'))).to.equal(true);
  });

  it('takes over from a process that died, and removes what it left', async () => {
    await writeFile(join(root, 'result.lock'), String(DEAD));
    await mkdir(join(root, `result.tmp-${DEAD}-abc`));
    await mkdir(join(root, `other.tmp-${DEAD}-abc`));
    await fillOnce({ ...target(), fill: (into) => writeFile(join(into, 'content'), 'made') });
    expect((await readdir(root)).sort()).to.deep.equal([`other.tmp-${DEAD}-abc`, 'result']);
  });

  it('replaces an incomplete directory', async () => {
    await mkdir(join(root, 'result'));
    await writeFile(join(root, 'result', 'half'), '');
    await fillOnce({ ...target(), fill: (into) => writeFile(join(into, 'content'), 'made') });
    expect(await readdir(join(root, 'result'))).to.deep.equal(['content']);
  });

  function target() {
    const directory = join(root, 'result');
    return {
      directory,
      isComplete: () => Promise.resolve(existsSync(join(directory, 'content'))),
      log: () => undefined,
    };
  }
});

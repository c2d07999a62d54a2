import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startApp } from '../support/app-process.ts';

describe('startApp', function () {
  this.timeout(30_000);
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'app-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('collects the log of a running app, and stops it as a cluster would', async () => {
    const app = await startApp({
      entry: await program(`
        console.log(JSON.stringify({ msg: 'started', pod: process.env.POD_NAME, args: process.argv.slice(2) }));
        console.error('no JSON');
        process.on('SIGTERM', () => { console.log('{"msg":"stopped"}'); process.exitCode = 3; clearInterval(timer); });
        const timer = setInterval(() => undefined, 1_000);`),
      args: ['--flag', 'value'],
      env: { POD_NAME: 'ratify-0' },
    });
    const started = await app.waitForLog(({ msg }) => msg === 'started');
    expect(started).to.deep.equal({ msg: 'started', pod: 'ratify-0', args: ['--flag', 'value'] });
    expect(await app.stop()).to.deep.equal({ code: 3, signal: null });
    expect(await app.waitForLog(({ msg }) => msg === 'stopped')).to.deep.equal({ msg: 'stopped' });
    expect(app.output()).to.include('no JSON');
    expect(app.logs()).to.have.length(2);
  });

  it('says what the app said when it ends without the awaited line', async () => {
    const app = await startApp({ entry: await program("throw new Error('no configuration')") });
    const error: unknown = await app.waitForLog(() => true).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('it ended without').and.contain('no configuration');
    expect(await app.exited).to.deep.equal({ code: 1, signal: null });
  });

  async function program(text: string): Promise<string> {
    const file = join(root, 'main.ts');
    await writeFile(file, text);
    return file;
  }
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ExecConfig, ExecPlugin } from './exec-plugin.ts';

describe('ExecPlugin', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'exec-plugin-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('runs once for 20 callers at once, and hands all the same answer', async () => {
    const { plugin, runs } = newPlugin({ token: 't' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => plugin.get()));
    expect(new Set(answers.map(({ token }) => token))).to.deep.equal(new Set(['t']));
    expect(await runs()).to.equal(1);
  });

  it('keeps an answer that does not expire', async () => {
    const { plugin, runs } = newPlugin({ token: 't' });
    for (let n = 0; n < 3; n += 1) await plugin.get();
    expect(await runs()).to.equal(1);
  });

  it('runs again a minute before the answer expires', async () => {
    const { plugin, runs, clock } = newPlugin({ token: 't', expirationTimestamp: '1970-01-01T01:00:00Z' });
    await plugin.get();
    clock.ms = 3_600_000 - 60_001;
    await plugin.get();
    expect(await runs()).to.equal(1);
    clock.ms += 1;
    await plugin.get();
    expect(await runs()).to.equal(2);
  });

  it('runs again when the server did not take the answer', async () => {
    const { plugin, runs } = newPlugin({ token: 't' });
    plugin.drop(await plugin.get());
    await plugin.get();
    expect(await runs()).to.equal(2);
  });

  it('runs once for many requests that were refused for one and the same answer, one after the other (RP-9)', async () => {
    const { plugin, runs } = newPlugin({ token: 't' });
    const refused = await plugin.get();
    const waiting = Array.from({ length: 4 }, () => (plugin.drop(refused), plugin.get()));
    const [renewed] = await Promise.all(waiting);
    plugin.drop(refused);
    expect(await plugin.get()).to.equal(renewed);
    expect(await runs()).to.equal(2);
  });

  it('takes a client certificate in place of a token', async () => {
    const { plugin } = newPlugin({ clientCertificateData: 'c', clientKeyData: 'k' });
    expect(await plugin.get()).to.deep.equal({ clientCertificateData: 'c', clientKeyData: 'k' });
  });

  it('tells the program about itself and, if asked to, about the cluster', async () => {
    const script = `
      const told = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      const token = [told.kind, told.apiVersion, told.spec.cluster?.server, process.env.OWN].join(' ');
      console.log(JSON.stringify({ status: { token } }));`;
    const env = [{ name: 'OWN', value: 'set' }];
    const { plugin } = newPlugin({}, { args: ['-e', script], env, provideClusterInfo: true });
    expect((await plugin.get()).token).to.equal(
      'ExecCredential client.authentication.k8s.io/v1 https://api.test set',
    );
  });

  const failing: Record<string, { script: string; says: string }> = {
    fails: { script: 'console.log("secret"); process.exit(3)', says: 'failed (3)' },
    'prints no JSON': { script: 'console.log("secret")', says: 'printed no ExecCredential' },
    'prints no credential': {
      script: 'console.log(JSON.stringify({status: {x: "secret"}}))',
      says: 'printed no ExecCredential',
    },
  };
  for (const [name, { script, says }] of Object.entries(failing)) {
    it(`says that a program ${name}, not what it printed, and tries again`, async () => {
      const { plugin } = newPlugin({}, { args: ['-e', script] });
      for (let n = 0; n < 2; n += 1) {
        const failure = await plugin.get().catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(Error).with.property('message').that.contains(says);
        expect(failure).to.not.have.property('cause');
        expect(String(failure)).to.not.contain('secret');
      }
    });
  }

  it('says that there is no such program', async () => {
    const { plugin } = newPlugin({}, { command: '/nowhere/at-all' });
    expect(await plugin.get().catch(String)).to.contain('/nowhere/at-all failed (ENOENT)');
  });

  function newPlugin(status: object, more: Partial<ExecConfig> = {}) {
    const notes = join(directory, 'runs');
    const script = `
      require('node:fs').appendFileSync(${JSON.stringify(notes)}, 'x');
      console.log(${JSON.stringify(JSON.stringify({ status }))});`;
    const clock = { ms: 0 };
    const plugin = new ExecPlugin({
      config: { command: process.execPath, args: ['-e', script], ...more },
      env: {},
      cluster: { server: 'https://api.test' },
      wallMs: () => clock.ms,
    });
    return { plugin, clock, runs: async () => (await readFile(notes, 'utf8')).length };
  }
});

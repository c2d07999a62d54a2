import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { isAlive } from '../../scripts/kube/is-alive.ts';
import { startProcess } from '../support/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const MODULE = fileURLToPath(new URL('../support/start-process.ts', import.meta.url));

/** `setpriv --pdeathsig` is there on Linux with util-linux; the shell everywhere. */
const GUARDS = process.platform === 'linux' ? (['kernel', 'shell'] as const) : (['shell'] as const);

for (const guard of GUARDS) {
  describe(`startProcess, guarded by the ${guard}`, function () {
    this.timeout(30_000);

    it('leaves nothing behind when the parent is killed', async () => {
      const code = `
        import { startProcess } from ${JSON.stringify(MODULE)};
        const args = ['-c', 'echo $$; exec sleep 3141'];
        await startProcess({ command: 'sh', args, env: {}, stdio: 'inherit', guard: '${guard}' });
        setInterval(() => undefined, 1_000);`;
      const parent = spawn(process.execPath, ['--input-type=module', '--eval', code], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [pid] = (await once(createInterface(parent.stdout), 'line')) as [string];
      expect(isAlive(Number(pid))).to.equal(true);

      parent.kill('SIGKILL');
      try {
        await waitUntil(() => !isAlive(Number(pid)), { what: 'the grandchild to be gone' });
      } catch (error) {
        process.kill(Number(pid), 'SIGKILL'); // Else this test would leave what it looks for.
        throw error;
      }
    });

    it('passes SIGTERM and the exit code on', async () => {
      const script = "trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done";
      const started = await startProcess({
        command: 'sh',
        args: ['-c', script],
        env: {},
        stdio: ['ignore', 'pipe', 'ignore'],
        guard,
      });
      if (started.child.stdout === null) throw new Error('its output is not piped');
      await once(createInterface(started.child.stdout), 'line');
      expect(started.running()).to.equal(true);
      expect(await started.stop()).to.deep.equal({ code: 7, signal: null });
      expect(started.running()).to.equal(false);
      started.kill('SIGKILL'); // Nothing happens to a process that has ended.
    });

    it('kills what does not end in time', async () => {
      const started = await startProcess({
        command: 'sh',
        args: ['-c', "trap '' TERM; echo ready; while :; do sleep 0.05; done"],
        env: {},
        stdio: ['ignore', 'pipe', 'ignore'],
        guard,
      });
      if (started.child.stdout === null) throw new Error('its output is not piped');
      await once(createInterface(started.child.stdout), 'line');
      expect(await started.stop(200)).to.deep.equal({ code: null, signal: 'SIGKILL' });
    });

    it('gives only the environment it is told to', async () => {
      const started = await startProcess({
        command: 'env',
        args: [],
        env: { ONLY: 'this' },
        stdio: ['ignore', 'pipe', 'ignore'],
        guard,
      });
      const lines: string[] = [];
      if (started.child.stdout === null) throw new Error('its output is not piped');
      createInterface(started.child.stdout).on('line', (line) => lines.push(line));
      await once(started.child, 'close');
      // The shell's own, and the one that Node passes on by itself while coverage is measured.
      const others = ['PWD', 'SHLVL', '_', 'OLDPWD', 'NODE_V8_COVERAGE'];
      const names = lines.map((line) => line.split('=')[0]).filter((name) => !others.includes(name ?? ''));
      expect(names).to.have.members(['ONLY', 'PATH']);
    });
  });
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run demo', () => {
  it('tells its story with the examples, every step checked', async function () {
    this.timeout(20 * 60_000);
    const { code, stdout, stderr } = await demo();
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.contain('Every step came out as it must.');
  });

  const refused: Record<string, { args: (folder: string) => string[]; says: RegExp }> = {
    'a file that is not there': {
      args: () => ['nowhere.yaml'],
      says: /^demo: cannot read nowhere\.yaml: .*\n$/,
    },
    'a file that is not YAML': {
      args: (folder) => [join(folder, 'broken.yaml')],
      says: /^demo: .* is not YAML: .*\n$/,
    },
    'a file with something else': {
      args: (folder) => [join(folder, 'pod.yaml')],
      says: /^demo: .* no executor .*\n$/,
    },
    'an executor that the CRD refuses': {
      args: (folder) => [join(folder, 'empty.yaml')],
      says: /^demo: .* the CRD refuses the spec .*\n$/,
    },
    'too few pods': { args: () => ['--pods', '2'], says: /^demo: --pods takes .*\n$/ },
  };
  for (const [name, { args, says }] of Object.entries(refused)) {
    it(`refuses ${name} in one line with exit code 2, before a cluster is started`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'demo-'));
      await writeFile(join(folder, 'broken.yaml'), 'a: [');
      await writeFile(join(folder, 'pod.yaml'), 'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n');
      const head = 'apiVersion: config.ratify.sh/v2alpha1\nkind: Executor\nmetadata: {name: x}\n';
      await writeFile(join(folder, 'empty.yaml'), `${head}spec: {scopes: []}\n`);
      const { code, stdout, stderr } = await demo(...args(folder));
      await rm(folder, { recursive: true });
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(says);
    });
  }
});

function demo(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const command = ['--conditions=source', 'scripts/demo.ts', ...args];
    execFile(process.execPath, command, { cwd: ROOT, maxBuffer: 16 * 1_048_576 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

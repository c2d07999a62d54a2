// npm run test:cluster: builds the images, starts a cluster with a real node on this machine, and tells the whole story of an
// installation there. Linux and root; what is missing is installed with apt-get. Arguments go to mocha.

import { spawn } from 'node:child_process';
import { runTool } from './images/run-tool.ts';

if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  throw new Error(
    'a node needs Linux and root: run this in a virtual machine or a privileged container, with sudo',
  );
}
const node = process.execPath;
const source = '--conditions=source';
process.stdout.write('building the images, twice\n');
await runTool(node, [source, 'scripts/build.ts']);
process.stdout.write(`${await runTool(node, [source, 'scripts/build-images.ts', '--check'])}\n`);
const args = [
  'node_modules/mocha/bin/mocha.js',
  '--config',
  '.mocharc.cluster.json',
  ...process.argv.slice(2),
];
const mocha = spawn(node, args, { stdio: 'inherit' });
process.exitCode = await new Promise<number>((resolve, reject) => {
  mocha.once('error', reject);
  mocha.once('close', (code) => resolve(code ?? 1));
});

// npm test: every test on a real control plane, and the coverage they reach. Arguments go to mocha, e.g. `-- --grep WP-11`.
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { resolveAssets } from './kube/assets.ts';

const COVERAGE = 'coverage/tmp';
const COUNTS = /^\d+ passed, \d+ failed/;

// Before the first test, so that no test's deadline has to allow for a build of Kubernetes.
await resolveAssets({ env: process.env, log: (line) => process.stdout.write(`${line}\n`) });
await rm('coverage', { recursive: true, force: true });
const wanted = process.argv.slice(2);
const tests = await run('mocha', ['--config', '.mocharc.all.json', ...wanted]);
const coverage = wanted.length === 0 ? await run('c8', ['report']) : { code: 0, counts: undefined };
if (wanted.length === 0) process.stdout.write(await coverageLine());
if (tests.counts !== undefined) process.stdout.write(`${tests.counts}\n`);
process.exitCode = tests.code === 0 ? coverage.code : tests.code;

/** Runs a program of node_modules, shows what it prints, and picks out the line of counts. */
async function run(command: string, args: readonly string[]): Promise<{ code: number; counts?: string }> {
  const env = { ...process.env, NODE_V8_COVERAGE: command === 'mocha' ? COVERAGE : '' };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  let counts: string | undefined;
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  for await (const line of createInterface(child.stdout)) {
    // Said at the very end, where whoever reads the run by machine looks for it.
    if (COUNTS.test(line)) counts = line;
    else process.stdout.write(`${line}\n`);
  }
  return { code: await ended, ...(counts !== undefined && { counts }) };
}

async function coverageLine(): Promise<string> {
  const { total } = JSON.parse(await readFile('coverage/coverage-summary.json', 'utf8')) as {
    readonly total: Readonly<Record<'lines' | 'branches', { readonly pct: number }>>;
  };
  return `coverage: ${total.lines.pct} % of lines, ${total.branches.pct} % of branches\n`;
}

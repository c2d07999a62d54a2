// npm run bench: the budgets, measured. A program of its own, since what it measures belongs to the tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../test/bench/run-bench.ts', import.meta.url));
const child = spawn(process.execPath, ['--conditions=source', program, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
const [code] = await once(child, 'exit');
process.exitCode = typeof code === 'number' ? code : 2;

// npm run soak: writers on a real API server over a hostile network, for as long as asked; see `--help`. The soak is a test, and
// scripts import none: it runs in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SOAK = fileURLToPath(new URL('../test/soak/soak.ts', import.meta.url));

const soak = spawn(process.execPath, ['--conditions=source', SOAK, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// A signal to the group reaches the soak too; it ends what it has started, and then so do we.
process.on('SIGINT', () => undefined);
const [code] = (await once(soak, 'close')) as [number | null];
process.exitCode = code ?? 1;

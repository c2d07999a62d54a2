import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** No check may take longer; one that does hangs. */
const LIMIT_MS = 900_000;

/** What a tool prints when it ends with another code than 0; empty when it ends with 0. */
export async function commandFailures(tool: string, args: readonly string[]): Promise<string> {
  const { code, output } = await runCommand(tool, args);
  return code === 0 ? '' : `${output}\n${tool} ${args.join(' ')} ended with ${code}`;
}

/**
 * Runs a tool of the project or of the system, in the project's folder; what it prints is kept. After `limitMs` it is killed
 * with all that it started, and so it is when this process is stopped.
 *
 * @throws {Error} when there is no such tool.
 */
export function runCommand(
  tool: string,
  args: readonly string[],
  limitMs: number = LIMIT_MS,
): Promise<{ readonly code: number; readonly output: string }> {
  const path = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(tool, args, {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // A group of its own, which can be killed as a whole.
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const release = bindLife(child, limitMs, () => {
    output += `\n${tool} did not end within ${limitMs / 1000} s and was killed\n`;
  });
  return new Promise<{ readonly code: number; readonly output: string }>((resolve, reject) => {
    child.on('error', (cause) => reject(new Error(`cannot run ${tool}: is "npm ci" done?`, { cause })));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  }).finally(release);
}

/** Ends the child's group after a time, and when this process is told to stop. Returns what lets go of it. */
function bindLife(child: ChildProcess, limitMs: number, onLimit: () => void): () => void {
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(() => {
    onLimit();
    kill();
  }, limitMs);
  const stop = () => {
    kill();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return () => {
    clearTimeout(timer);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  };
}

import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** What a tool of the project prints when it ends with another code than 0; empty when it ends with 0. */
export async function commandFailures(tool: string, args: readonly string[]): Promise<string> {
  const { code, output } = await runCommand(tool, args);
  return code === 0 ? '' : `${output}\n${tool} ${args.join(' ')} ended with ${code}`;
}

/** Runs a tool of the project, in its folder; what it prints is kept. */
export function runCommand(
  tool: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const path = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(tool, args, {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(new Error(`cannot run ${tool}: is "npm ci" done?`, { cause })));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

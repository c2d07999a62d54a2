import { spawn } from 'node:child_process';

/** How a tool is run beyond its arguments. */
export interface ToolOptions {
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a tool of the system to its end.
 *
 * @returns what it wrote to standard output, without white space at its end.
 * @throws {Error} with the last lines it wrote, if it cannot be started or fails.
 */
export function runTool(
  tool: string,
  args: readonly string[],
  { directory, env = process.env }: ToolOptions = {},
): Promise<string> {
  const child = spawn(tool, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    ...(directory !== undefined && { cwd: directory }),
  });
  let output = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const called = `${tool} ${args.join(' ')}`;
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`cannot run ${called}: ${cause.message}`, { cause })));
    child.once('close', (code) => {
      if (code === 0) return resolve(output.trimEnd());
      const last = (complaints || output).trimEnd().split('\n').slice(-LAST_LINES).join('\n');
      reject(new Error(`${called} ended with ${code}:\n${last}`));
    });
  });
}

/** How many of the last lines a failure shows. */
const LAST_LINES = 20;

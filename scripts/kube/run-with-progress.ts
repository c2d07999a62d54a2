import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Environment } from './cache-directory.ts';

/** A command that may take minutes. */
export interface LongCommand {
  /** What the user sees it called, `go build`. */
  readonly step: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Environment;
  readonly log: (line: string) => void;
  /** How often progress is shown, in milliseconds; 5,000 by default. */
  readonly everyMs?: number;
}

/** How many of the last lines a failure shows. */
const LAST_LINES = 20;

/**
 * Runs a command and shows every few seconds that it lives: the time it took so far, how many lines it
 * wrote, and the last of them.
 *
 * @returns what it wrote to standard output.
 * @throws {Error} if it cannot be started or fails; the message names the step and shows the last lines.
 */
export async function runWithProgress(options: LongCommand): Promise<string> {
  const { step, command, args, directory, env, log, everyMs = 5_000 } = options;
  const started = performance.now();
  const child = spawn(command, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout: string[] = [];
  const stderr: string[] = [];
  createInterface(child.stdout).on('line', (line) => stdout.push(line));
  createInterface(child.stderr).on('line', (line) => stderr.push(line));
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    const last = stderr.at(-1);
    log(`${step}: ${seconds} s${last === undefined ? '' : `, ${stderr.length} lines, last: ${last}`}`);
  }, everyMs);
  try {
    const failure = await new Promise<string | undefined>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? code}`));
    });
    if (failure !== undefined) {
      throw new Error(
        `${step}: ${command} ${failure}\n${[...stdout, ...stderr].slice(-LAST_LINES).join('\n')}`,
      );
    }
    return stdout.join('\n');
  } finally {
    clearInterval(timer);
  }
}

import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Exit, startProcess } from './start-process.ts';
import { waitUntil } from './wait-until.ts';

/** One line of an app's log, parsed. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Which app to start, and how. */
export interface AppStart {
  /** Its main file, relative to the repository: `apps/executor-writer/src/main.ts`. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** What Node itself is told; by default, to run the sources. */
  readonly nodeFlags?: readonly string[];
  /** Its whole environment, but for PATH; see `ControlPlane.podEnv`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running app of ours; it does not outlive the tests. */
export interface AppProcess extends AsyncDisposable {
  readonly pid: number;
  /** The JSON lines of its output so far. */
  readonly logs: () => readonly LogLine[];
  /** All lines of its output so far, such that are no JSON included. */
  readonly output: () => readonly string[];
  /**
   * Waits for a line of its log, past or to come.
   *
   * @throws {Error} after `deadlineMs`, 15,000 ms by default, or if the app ends without it; the message
   *   has the last lines.
   */
  readonly waitForLog: (predicate: (line: LogLine) => boolean, deadlineMs?: number) => Promise<LogLine>;
  /** Resolves when it ended; never rejects. */
  readonly exited: Promise<Exit>;
  /** Sends SIGTERM, later SIGKILL, and waits for the end. */
  readonly stop: () => Promise<Exit>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How many lines a failure shows. */
const LAST_LINES = 20;

/** Starts an app as a process, from its sources unless the flags say otherwise. */
export async function startApp(start: AppStart): Promise<AppProcess> {
  const { entry, args = [], env = {}, nodeFlags = ['--conditions=source'] } = start;
  const app = await startProcess({
    command: process.execPath,
    args: [...nodeFlags, entry, ...args],
    env,
    directory: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(app.child);
  const stop = () => app.stop();
  return {
    pid: app.pid,
    logs: () => output.logs,
    output: () => output.lines,
    waitForLog: (predicate, deadlineMs = 15_000) => waitForLog(output, { entry, predicate, deadlineMs }),
    exited: app.exited,
    stop,
    kill: app.kill,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

interface Output {
  readonly lines: string[];
  readonly logs: LogLine[];
  /** Whether everything has been read and no more will come. */
  ended: boolean;
}

function collectOutput(child: ChildProcess): Output {
  const output: Output = { lines: [], logs: [], ended: false };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface(stream).on('line', (line) => {
      output.lines.push(line);
      const parsed = parse(line);
      if (parsed !== undefined) output.logs.push(parsed);
    });
  }
  child.once('close', () => {
    output.ended = true;
  });
  return output;
}

interface LogWait {
  readonly entry: string;
  readonly predicate: (line: LogLine) => boolean;
  readonly deadlineMs: number;
}

async function waitForLog(output: Output, { entry, predicate, deadlineMs }: LogWait): Promise<LogLine> {
  const found = () => output.logs.find(predicate);
  const line = await waitUntil(() => found() ?? output.ended, {
    what: `a log line of ${entry}`,
    deadlineMs,
  }).catch(() => false as const);
  // Its last lines may have come together with its end.
  const last = typeof line === 'object' ? line : found();
  if (last !== undefined) return last;
  const why = output.ended ? 'it ended without' : `none came in ${deadlineMs} ms`;
  const lines = output.lines.slice(-LAST_LINES).join('\n');
  throw new Error(`waited for a log line of ${entry}; ${why}; its last lines:\n${lines}`);
}

function parse(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as LogLine) : undefined;
  } catch {
    return undefined; // Kept in the output, as what Node itself prints.
  }
}

import { open, readFile } from 'node:fs/promises';
import { type Exit, type RunningProcess, startProcess } from '../start-process.ts';
import { waitUntil } from '../wait-until.ts';

/** One program of the control plane, with its log in a file. */
export interface ComponentStart {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly logFile: string;
  /** Whether it does its work; asked until it says yes. Without it, running is enough. */
  readonly ready?: () => Promise<boolean>;
}

/** How long a component may take to become ready on a busy machine, in milliseconds. */
const READY_MS = 120_000;

/**
 * Starts a component and waits until it is ready.
 *
 * @throws {Error} if it ends or is not ready in time; the message has the last lines of its log.
 */
export async function startComponent(start: ComponentStart): Promise<RunningProcess> {
  const { name, command, args, directory, logFile, ready } = start;
  const log = await open(logFile, 'a');
  const component = await startProcess({
    command,
    args,
    directory,
    // HOME: some components look for configuration there and must not find the user's.
    env: { HOME: directory },
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  if (ready === undefined) return component;
  try {
    await waitUntil(async () => !component.running() || (await ready()), {
      what: `${name} to be ready`,
      deadlineMs: READY_MS,
    });
    if (!component.running()) throw new Error(`${name} ${ending(await component.exited)}`);
  } catch (error) {
    component.kill('SIGKILL');
    const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
    throw new Error(`cannot start ${name}: ${String(error)}\n${lines.slice(-15).join('\n')}`, {
      cause: error,
    });
  }
  return component;
}

function ending({ code, signal }: Exit): string {
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

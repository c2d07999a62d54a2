import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that does not outlive this one, however this one ends. */
export interface RunningProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves when it ended; never rejects. */
  readonly exited: Promise<Exit>;
  readonly running: () => boolean;
  /** Sends a signal; nothing happens if it has ended. */
  readonly kill: (signal: NodeJS.Signals) => void;
  /** SIGTERM, after `graceMs` SIGKILL (10,000 ms by default), and waits for the end. */
  readonly stop: (graceMs?: number) => Promise<Exit>;
}

/** What to start. */
export interface ProcessStart {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory?: string;
  /** Where its output goes; dropped by default. */
  readonly stdio?: StdioOptions;
  /** Who ends it when we are gone; by default the kernel where it can. */
  readonly guard?: 'kernel' | 'shell';
}

/**
 * Starts a process that ends with us, even when we are killed: the kernel sees to it (`setpriv
 * --pdeathsig`), or, where that is missing, a shell that waits for the end of a pipe from us.
 *
 * It gets a process group of its own, so Ctrl-C in a terminal reaches only us.
 *
 * A command that does not exist ends with exit code 127, as in a shell.
 *
 * @throws {Error} if not even the guard can be started.
 */
export async function startProcess(start: ProcessStart): Promise<RunningProcess> {
  const { command, args, env, directory, stdio = ['ignore', 'ignore', 'ignore'] } = start;
  const guard = start.guard ?? (kernelEndsOrphans() ? 'kernel' : 'shell');
  const [wrapper, ...wrapperArgs] = WRAPPERS[guard];
  const [, stdout = 'ignore', stderr = 'ignore'] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  const child = spawn(wrapper, [...wrapperArgs, command, ...args], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...env },
    detached: true,
    stdio: [guard === 'kernel' ? 'ignore' : 'pipe', stdout, stderr],
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new Error(`cannot start ${command}: ${error.message}`, { cause: error })),
    );
  });
  return controls(child, exited);
}

function controls(child: ChildProcess, exited: Promise<Exit>): RunningProcess {
  const pid = child.pid ?? -1;
  const running = () => child.exitCode === null && child.signalCode === null;
  const kill = (signal: NodeJS.Signals) => {
    if (!running()) return;
    try {
      // The group, so that a watchdog and its child both get it.
      process.kill(-pid, signal);
    } catch (error) {
      // It has ended, and the news of it is on the way.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const stop = async (graceMs = 10_000) => {
    kill('SIGTERM');
    const timer = setTimeout(() => kill('SIGKILL'), graceMs);
    try {
      return await exited;
    } finally {
      clearTimeout(timer);
    }
  };
  return { child, pid, exited, running, kill, stop };
}

/** Runs its arguments, passes signals and the exit code on, and kills the command when its input ends. */
const WATCHDOG = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ read -r _ <&3; kill -KILL 0; } &
trap 'kill -TERM "$child"' TERM INT
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
kill -KILL $! 2>/dev/null
exit "$code"
`;

const WRAPPERS = {
  kernel: ['setpriv', '--pdeathsig', 'KILL'],
  shell: ['sh', '-c', WATCHDOG, 'watchdog'],
} as const;

let kernelGuard: boolean | undefined;

/** Whether `setpriv --pdeathsig` works here: util-linux has it, busybox and macOS do not. */
function kernelEndsOrphans(): boolean {
  if (kernelGuard === undefined) {
    try {
      execFileSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' });
      kernelGuard = true;
    } catch {
      kernelGuard = false; // No such program, or one without that option: the shell does it.
    }
  }
  return kernelGuard;
}

import type { RunningProcess } from '../start-process.ts';

/** A component that a test may end and start again; its address and data stay the same. */
export interface Restartable {
  /** Starts it and waits until it is ready; nothing happens if it runs. */
  readonly start: () => Promise<void>;
  /** Ends it as an operator would. */
  readonly stop: () => Promise<void>;
  /** Ends it as a crash would. */
  readonly kill: () => Promise<void>;
  /** Stop and start. */
  readonly restart: () => Promise<void>;
  /** Sends a signal: SIGSTOP lets its connections hang, SIGCONT goes on. */
  readonly signal: (name: NodeJS.Signals) => void;
}

/** An API server waits for its watches before it ends, in milliseconds; tests need not. */
const GRACE_MS = 3_000;

/** @param begin - starts the process and waits until it is ready. */
export function restartable(begin: () => Promise<RunningProcess>): Restartable {
  let running: RunningProcess | undefined;
  const start = async () => {
    if (running?.running() !== true) running = await begin();
  };
  const stop = async () => {
    await running?.stop(GRACE_MS);
  };
  const kill = async () => {
    running?.kill('SIGKILL');
    await running?.exited;
  };
  const restart = async () => {
    await stop();
    await start();
  };
  return { start, stop, kill, restart, signal: (name) => running?.kill(name) };
}

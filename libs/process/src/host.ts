import { readFileSync } from 'node:fs';
import type { ConfigInput } from './effective-settings.ts';
import { shutdownSignal } from './shutdown-signal.ts';

/** What a program sees of the process that it runs in; a parameter, so that tests need no process. */
export interface Host extends ConfigInput {
  /** Writes to standard output: log lines, and what `--help` and the like print. */
  readonly write: (text: string) => void;
  /** Writes to standard error. */
  readonly complain: (text: string) => void;
  /** Aborts when the process is to stop. */
  readonly signal: AbortSignal;
  /** Calls back for every error that nobody handled, instead of ending the process. */
  readonly onUnhandled: (report: (error: unknown) => void) => void;
}

/** The process itself. Call once: it takes over the signals, and what cannot be written is dropped. */
export function nodeHost(): Host {
  // Nobody reads any more: there is nobody to tell, and a report of it would fail in the same way, again and again.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    argv: process.argv.slice(2),
    env: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    write: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    signal: shutdownSignal(),
    onUnhandled: (report) => {
      process.on('uncaughtException', report);
      process.on('unhandledRejection', report);
    },
  };
}

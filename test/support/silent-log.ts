import type { Log } from '@executor-status/process';

const silence = () => {};

/** A log that nobody reads. */
export const silentLog: Log = {
  debug: silence,
  info: silence,
  warn: silence,
  error: silence,
  child: () => silentLog,
  onceIn: () => silentLog,
};

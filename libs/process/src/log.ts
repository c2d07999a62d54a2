export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What varies from line to line; the message never does. Under the key `error` an Error shows its chain of causes. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one JSON line per call. Secrets are removed from every text. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log whose every line carries `fields` too. */
  child(fields: LogFields): Log;
  /** A log that writes equal lines at most once in `periodMs`; the next one says how many were left out (`repeated`). */
  onceIn(periodMs: number): Log;
}

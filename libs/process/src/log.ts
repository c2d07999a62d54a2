import { pino } from 'pino';
import { loggable } from './loggable.ts';
import { onceIn } from './once-in.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What varies from line to line; the message never does. An Error shows its chain of causes. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one JSON line per call. Secrets are removed from every text of the fields. */
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

export interface LogOptions {
  /** Less important lines are dropped. At `debug`, errors come with their stack. */
  readonly level: LogLevel;
  /** Takes one line with its line end. */
  readonly write: (line: string) => void;
  /** Milliseconds since 1970, for the time in each line. */
  readonly now?: () => number;
  /** Milliseconds of a clock that never jumps, for `onceIn`. */
  readonly clock?: () => number;
}

/** A log of JSON lines: `{"level":"info","time":"…Z","msg":"…", …fields}`. */
export function createLog(options: LogOptions): Log {
  const now = options.now ?? Date.now;
  const clock = options.clock ?? (() => performance.now());
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    { write: options.write },
  );
  return logFrom(logger, { clock, withStacks: options.level === 'debug' });
}

type Logger = Pick<pino.Logger, LogLevel> & { child(bindings: pino.Bindings): Logger };

interface Ways {
  readonly clock: () => number;
  readonly withStacks: boolean;
}

function logFrom(logger: Logger, ways: Ways): Log {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) =>
    logger[level](fields === undefined ? {} : loggable(fields, ways), message);
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => logFrom(logger.child(loggable(fields, ways)), ways),
    onceIn: (periodMs) => onceIn(log, periodMs, ways.clock),
  };
  return log;
}

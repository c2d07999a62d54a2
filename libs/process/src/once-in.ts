import type { Log, LogFields, LogLevel } from './log.ts';

/**
 * A log that passes a line on only when no equal one (level, message and fields) was passed on in the last `periodMs`. The
 * next equal line after that says in `repeated` how many were left out.
 *
 * @param clock - milliseconds of a clock that never jumps.
 */
export function onceIn(log: Log, periodMs: number, clock: () => number): Log {
  const seen = new Map<string, { readonly atMs: number; repeated: number }>();

  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    const key = JSON.stringify([level, message, fields], comparable);
    const last = seen.get(key);
    if (last !== undefined && clock() - last.atMs < periodMs) {
      last.repeated++;
      return;
    }
    seen.delete(key);
    seen.set(key, { atMs: clock(), repeated: 0 });
    forgetOldest(seen);
    const repeated = last?.repeated ?? 0;
    log[level](message, repeated === 0 ? fields : { ...fields, repeated });
  };

  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => onceIn(log.child(fields), periodMs, clock),
    onceIn: (otherMs) => onceIn(log, otherMs, clock),
  };
}

/** How many different lines are remembered. */
const MAX_SEEN = 1000;

function forgetOldest(seen: Map<string, unknown>): void {
  const [oldest] = seen.keys();
  if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
}

/** JSON has no word for an Error, and refuses a BigInt. */
function comparable(_key: string, value: unknown): unknown {
  if (value instanceof Error) return [value.name, value.message, value.cause];
  return typeof value === 'bigint' ? String(value) : value;
}

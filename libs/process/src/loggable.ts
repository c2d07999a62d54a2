import { boundError, errorText, redact } from '@executor-status/api';
import type { LogFields } from './log.ts';

/**
 * The fields of a log line as plain JSON without secrets: every text redacted and bounded, an Error as its chain of
 * messages, deep or long values cut.
 */
export function loggable(
  fields: LogFields,
  { withStacks }: { readonly withStacks: boolean },
): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    const name = OWN_KEYS.has(key) ? `${key}_` : key;
    plain[name] = plainValue(value, 0);
    if (withStacks && value instanceof Error) plain[`${name}Stack`] = stackLines(value);
  }
  return plain;
}

/** Keys that every line has of its own; a line with one of them twice could not be read. */
const OWN_KEYS: ReadonlySet<string> = new Set(['level', 'time', 'msg']);
const MAX_DEPTH = 4;
const MAX_MEMBERS = 50;

function plainValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return safeText(value);
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : plainObject(value, depth);
    case 'function':
    case 'symbol':
      return undefined;
    default:
      return value;
  }
}

function plainObject(value: object, depth: number): unknown {
  if (value instanceof Error) return safeText(errorText(value));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString();
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((one) => plainValue(one, depth + 1));
  const members = Object.entries(value).slice(0, MAX_MEMBERS);
  return Object.fromEntries(members.map(([key, one]) => [key, plainValue(one, depth + 1)]));
}

// Redacted first: a secret that was cut in half would not be known as one.
function safeText(text: string): string {
  return boundError(redact(text));
}

// As a whole, too: a key of many lines is in none of them.
function stackLines(error: Error): string[] {
  return redact(error.stack ?? '')
    .split('\n')
    .slice(0, MAX_MEMBERS)
    .map(safeText);
}

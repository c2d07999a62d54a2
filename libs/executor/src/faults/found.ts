import { redact } from '@executor-status/api';

/** Most characters of a value that a message quotes. */
const MAX_QUOTED_CHARS = 60;
/** Most characters of a value that are looked at for secrets: nothing behind them is quoted. */
const MAX_REDACTED_CHARS = 4_096;

/** A value of the spec as a message names it: short texts in quotes, everything else by its kind. Never its content. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value === '' ? 'an empty text' : quote(value);
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  return 'an object';
}

/** `text` in quotes, control characters escaped, cut after 60 characters; PEM and other multi-line texts by size only. */
export function quote(text: string): string {
  if (text.includes('\n') || text.includes('-----')) return `a text of ${count(text.length, 'character')}`;
  // Half a secret would not be known as one.
  const safe = redact(text.slice(0, MAX_REDACTED_CHARS));
  const short = safe.length > MAX_QUOTED_CHARS ? `${safe.slice(0, MAX_QUOTED_CHARS).toWellFormed()}…` : safe;
  return JSON.stringify(short);
}

/** Like {@link quote}, for a path: a long one is cut at its front, as its end says which file it is. */
export function quotePath(path: string): string {
  if (path.includes('\n')) return quote(path);
  const safe = redact(path.slice(-MAX_REDACTED_CHARS));
  const short = safe.length > MAX_QUOTED_CHARS ? `…${safe.slice(-MAX_QUOTED_CHARS).toWellFormed()}` : safe;
  return JSON.stringify(short);
}

/** The kind of a value without any of its content, for places that may hold a secret. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** `1 byte`, `2 bytes`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

import { Re2Error } from './re2-error.ts';
import { isUnicodeName } from './unicode-names.ts';

/** A character that was read, and where the text goes on. */
export interface Read {
  readonly code: number;
  readonly end: number;
}

/** One code point at `at`; the caller has checked that there is one. */
export function readChar(pattern: string, at: number): Read {
  const code = pattern.codePointAt(at) ?? 0;
  return { code, end: at + (code > 0xffff ? 2 : 1) };
}

/** A single-character escape at `at`, where the backslash stands. */
export function readEscape(pattern: string, at: number): Read {
  if (at + 1 >= pattern.length) throw new Re2Error('it ends in a backslash');
  const { code, end } = readChar(pattern, at + 1);
  const char = pattern.slice(at + 1, end);
  if (char === 'x') return readHex(pattern, at);
  if (char >= '0' && char <= '7' && char.length === 1) return readOctal(pattern, at);
  const control = CONTROLS.get(char);
  if (control !== undefined) return { code: control, end };
  // A character that is no letter or digit of ASCII stands for itself.
  if (code < 0x80 && !/^[0-9A-Za-z]$/.test(char)) return { code, end };
  throw new Re2Error(`it has the escape \\${char}, which RE2 does not know`);
}

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['v', 11],
]);

/** Up to three digits; a single one but 0 would be a back reference. */
function readOctal(pattern: string, at: number): Read {
  const digits = /^[0-7]{1,3}/.exec(pattern.slice(at + 1, at + 4))?.[0] ?? '';
  if (digits.length === 1 && digits !== '0') throw new Re2Error(`it has the back reference \\${digits}`);
  return { code: Number.parseInt(digits, 8), end: at + 1 + digits.length };
}

/** Two digits, or any number of them in braces. */
function readHex(pattern: string, at: number): Read {
  const braced = pattern.charAt(at + 2) === '{';
  const start = at + (braced ? 3 : 2);
  const end = braced ? pattern.indexOf('}', start) : start + 2;
  const digits = end < 0 ? '' : pattern.slice(start, end);
  const code = /^[0-9A-Fa-f]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  const complete = braced ? digits !== '' : digits.length === 2;
  if (!complete || !(code <= 0x10ffff)) throw new Re2Error('it has a malformed escape \\x');
  return { code, end: braced ? end + 1 : end };
}

/** Where a class escape at `at` ends (`\d`, `\pL`, `\p{Greek}`); `undefined` when there is none. */
export function classEscapeEnd(pattern: string, at: number): number | undefined {
  if (pattern.charAt(at) !== '\\') return undefined;
  const kind = pattern.charAt(at + 1);
  if (kind !== '' && 'dDsSwW'.includes(kind)) return at + 2;
  return kind === 'p' || kind === 'P' ? unicodeEnd(pattern, at) : undefined;
}

function unicodeEnd(pattern: string, at: number): number {
  const braced = pattern.charAt(at + 2) === '{';
  const close = braced ? pattern.indexOf('}', at) : -1;
  if (braced && close < 0) throw new Re2Error('it has a class \\p{ without end');
  const start = at + (braced ? 3 : 2);
  const end = braced ? close : start < pattern.length ? readChar(pattern, start).end : start;
  const name = pattern.slice(start, end).replace(/^\^/, '');
  if (!isUnicodeName(name))
    throw new Re2Error(`it names the Unicode class ${JSON.stringify(name)}, which RE2 does not know`);
  return braced ? end + 1 : end;
}

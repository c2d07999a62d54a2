/** Most UTF-8 bytes of `error` in a report and in an executor's status. */
export const MAX_ERROR_BYTES = 4096;
/** Most UTF-8 bytes of `briefError`. */
export const MAX_BRIEF_ERROR_BYTES = 123;

const ELLIPSIS = '…';

/**
 * `text` as one clean line: well-formed Unicode (a lone surrogate becomes U+FFFD, as in Go), without terminal
 * sequences, invisible and bidirectional characters; a run of control characters or blanks becomes one blank.
 * Cleaning twice changes nothing.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(TERMINAL_SEQUENCE, '')
    .replace(INVISIBLE, '')
    .replace(BLANKS, ' ')
    .trim();
}

/**
 * `text` cleaned and cut at a code point so that it has at most `maxBytes` UTF-8 bytes; what was cut ends in `…`.
 *
 * @param maxBytes - a whole number of at least 3, the bytes of the ellipsis.
 */
export function boundText(text: string, maxBytes: number): string {
  const read = text.slice(0, maxBytes * READ_AHEAD);
  const clean = cleanText(read);
  if (read.length === text.length && Buffer.byteLength(clean) <= maxBytes) return clean;
  let bytes = Buffer.byteLength(ELLIPSIS);
  let end = 0;
  for (const point of clean) {
    bytes += Buffer.byteLength(point);
    if (bytes > maxBytes) break;
    end += point.length;
  }
  return clean.slice(0, end).trimEnd() + ELLIPSIS;
}

/** The whole chain of causes for `error`: at most 4,096 bytes. */
export function boundError(text: string): string {
  return boundText(text, MAX_ERROR_BYTES);
}

/** The root cause for `briefError`: one line of at most 123 bytes. */
export function boundBriefError(text: string): string {
  return boundText(text, MAX_BRIEF_ERROR_BYTES);
}

/** How many bytes `value` takes as the API server stores it: JSON with `<`, `>`, `&`, U+2028 and U+2029 as six bytes each. */
export function encodedBytes(value: unknown): number {
  const json = JSON.stringify(value) ?? '';
  // Of whole statuses at each look: a pattern finds what is rare much faster than a walk over all characters.
  const count = (sought: RegExp) => json.length - json.replace(sought, '').length;
  return Buffer.byteLength(json) + 5 * count(/[<>&]/g) + 3 * count(/[\u2028\u2029]/g);
}

/** So many characters are read for each byte that may stay: a text of a gigabyte is not cleaned whole. */
const READ_AHEAD = 8;

// ECMA-48: CSI sequences, OSC strings up to their end (or the end of the line), and single escapes.
const TERMINAL_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- removing control sequences is what this is for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -~]?/g;
// Format characters (zero-width, bidirectional, tags, BOM), fillers, variation selectors and what else shows nothing.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const BLANKS = /[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu;

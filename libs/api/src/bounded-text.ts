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
  // Cleaning never adds bytes beyond threefold, so nothing after this many characters can be kept.
  const clean = cleanText(text.slice(0, maxBytes * CLEANING_SHRINKS_AT_MOST));
  if (Buffer.byteLength(clean) <= maxBytes) return clean;
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
  let bytes = Buffer.byteLength(json);
  for (const char of json) {
    if (char === '<' || char === '>' || char === '&') bytes += 5;
    else if (char === '\u2028' || char === '\u2029') bytes += 3;
  }
  return bytes;
}

/** A text is read this many times further than it may be long, so that what cleaning removes does not shorten it. */
const CLEANING_SHRINKS_AT_MOST = 8;

// ECMA-48: CSI sequences, OSC strings up to their end (or the end of the line), and single escapes.
// oxlint-disable-next-line no-control-regex -- removing control sequences is what this is for
const TERMINAL_SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[ -~]?/g;
// Format characters (zero-width, bidirectional, tags, BOM), invisible fillers and variation selectors.
const INVISIBLE = /[\p{Cf}\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{3164}\u{ffa0}\u{fe00}-\u{fe0f}]/gu;
const BLANKS = /[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu;

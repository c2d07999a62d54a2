import { decodeBase64 } from './base64.ts';

/** One PEM block. */
export interface PemBlock {
  /** What stands behind BEGIN. */
  readonly label: string;
  readonly bytes: Buffer;
  readonly hasHeaders: boolean;
}

/** The next block and what stands behind it; without a block, `rest` is all of the text. */
export interface PemResult {
  readonly block: PemBlock | undefined;
  readonly rest: string;
}

const BEGIN = '-----BEGIN ';
const END = '\n-----END ';
const DASHES = '-----';

/** A text as one character per UTF-8 byte, the form in which {@link nextPem} reads. */
export function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/**
 * Finds the first PEM block by the rules of Go's `encoding/pem`: the armour begins a line and ends one; an END line
 * belongs to the last BEGIN before it; broken blocks are passed over.
 *
 * @param text - one character per byte, see {@link toBytes}.
 * @see https://pkg.go.dev/encoding/pem#Decode
 */
export function nextPem(text: string): PemResult {
  let from = 0;
  for (;;) {
    const end = text.indexOf(END, from);
    if (end < 0) return { block: undefined, rest: text };
    // Within the slice only, so that a text of many END lines is read once.
    const offset = text.slice(from, end).lastIndexOf(BEGIN);
    const begin = from + offset;
    if (offset < 0 || (offset > 0 && text[begin - 1] !== '\n')) {
      from = end + END.length;
      continue;
    }
    const parsed = parseBlock(text, begin + BEGIN.length, end);
    if (parsed === 'nothing left') return { block: undefined, rest: text };
    if (parsed !== undefined) return parsed;
    from = end + END.length;
  }
}

function parseBlock(text: string, start: number, end: number): PemResult | 'nothing left' | undefined {
  const typeLine = readLine(text, start);
  if (!typeLine.line.endsWith(DASHES)) return undefined;
  const label = typeLine.line.slice(0, -DASHES.length);
  const headers = skipHeaders(text, typeLine.next);
  if (headers === undefined) return 'nothing left';
  const { next: body, any: hasHeaders } = headers;
  // Between headers and the END line there must be a line break of its own.
  const trailer = end + END.length;
  if (hasHeaders && end < body) return trailer < body ? 'nothing left' : undefined;
  if (!text.startsWith(label + DASHES, trailer)) return undefined;
  if (readLine(text, trailer + label.length + DASHES.length).line !== '') return undefined;
  const bytes = end > body ? decodeBase64(text.slice(body, end).replace(/[ \t]+/g, '')) : Buffer.alloc(0);
  if (bytes === undefined) return undefined;
  return { block: { label, bytes, hasHeaders }, rest: text.slice(readLine(text, trailer).next) };
}

/** Skips `name: value` lines; `undefined` when the text ends there. */
function skipHeaders(text: string, start: number): { next: number; any: boolean } | undefined {
  let next = start;
  for (;;) {
    if (next >= text.length) return undefined;
    const line = readLine(text, next);
    if (!line.line.includes(':')) return { next, any: next !== start };
    next = line.next;
  }
}

/** A line without its end and without blanks before it, and where the next one begins. */
function readLine(text: string, start: number): { line: string; next: number } {
  const newline = text.indexOf('\n', start);
  let end = newline < 0 ? text.length : newline;
  const next = newline < 0 ? text.length : newline + 1;
  if (newline > start && text[end - 1] === '\r') end -= 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return { line: text.slice(start, end), next };
}

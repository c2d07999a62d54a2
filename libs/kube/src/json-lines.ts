/**
 * The JSON values in a stream of bytes, one a line, whatever the chunks: a line or a character may be split anywhere.
 * Blank lines are skipped.
 *
 * @throws {SyntaxError} at the first line that is not JSON, cut off or too long: a line that is skipped would be an event
 *   that is lost. Its text is not in the message.
 */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<unknown> {
  const line = new LineBuffer(maxLineBytes);
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      line.add(chunk.subarray(from, end));
      from = end + 1;
      if (line.bytes > 0) yield parse(line.take());
    }
    line.add(chunk.subarray(from));
  }
  if (line.bytes > 0) yield parse(line.take());
}

const LINE_END = 0x0a;
// Far above any object (etcd takes 1.5 MiB): a bound, so that a stream without line ends cannot fill the memory.
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The pieces of a line until it is complete; joined once, so that a long line costs its length and not its square. */
class LineBuffer {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.bytes += piece.byteLength;
    if (this.bytes > this.#maxBytes) throw new SyntaxError(`a line has more than ${this.#maxBytes} bytes`);
    this.#pieces.push(piece);
  }

  take(): Uint8Array {
    const [only] = this.#pieces;
    const whole = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.bytes = 0;
    return whole;
  }
}

// Strict: a broken character is a broken line, not a question mark in somebody's name.
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(line: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(line));
  } catch {
    // Without its cause, which quotes the line.
    throw new SyntaxError(`a line of ${line.byteLength} bytes is not JSON, or was cut off`);
  }
}

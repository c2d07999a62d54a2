/** Bytes that are not the DER that was expected. Never leaves this folder: parsing a certificate gives `undefined`. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/** One element: tag, content, and all of it with its header. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  numeric: 0x12,
  printable: 0x13,
  t61: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag of a context-specific element. */
export const context = (number: number): number => 0x80 | number;
/** The tag of a constructed context-specific element. */
export const explicit = (number: number): number => 0xa0 | number;

/**
 * Reads DER one element after the other with the strictness of Go's `cryptobyte`: minimal lengths of at most four
 * bytes, no high tag numbers. Throws {@link DerError}.
 */
export class DerReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get empty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** What has not been read yet. */
  get rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** Whether the next element has this tag. */
  nextIs(tag: number): boolean {
    return !this.empty && this.#bytes[this.#at] === tag;
  }

  /** Reads an element of any tag. */
  any(): DerElement {
    const tag = this.#byte(0);
    if ((tag & 0x1f) === 0x1f) throw new DerError('high tag number');
    const { header, length } = this.#length();
    const start = this.#at;
    const end = start + header + length;
    if (end > this.#bytes.length) throw new DerError('element ends early');
    this.#at = end;
    return {
      tag,
      content: this.#bytes.subarray(start + header, end),
      whole: this.#bytes.subarray(start, end),
    };
  }

  /** Reads an element that must have this tag. */
  element(tag: number): DerElement {
    const element = this.any();
    if (element.tag !== tag) throw new DerError(`tag ${element.tag} instead of ${tag}`);
    return element;
  }

  /** The content of an element that must have this tag. */
  read(tag: number): Buffer {
    return this.element(tag).content;
  }

  /** A reader inside an element that must have this tag. */
  enter(tag: number): DerReader {
    return new DerReader(this.read(tag));
  }

  /** The content if the next element has this tag. */
  optional(tag: number): Buffer | undefined {
    return this.nextIs(tag) ? this.read(tag) : undefined;
  }

  #length(): { header: number; length: number } {
    const first = this.#byte(1);
    if (first < 0x80) return { header: 2, length: first };
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError('unsupported length');
    let length = 0;
    for (let i = 0; i < count; i += 1) length = length * 256 + this.#byte(2 + i);
    if (length < 0x80 || length < 256 ** (count - 1)) throw new DerError('length is not minimal');
    return { header: 2 + count, length };
  }

  #byte(offset: number): number {
    const byte = this.#bytes[this.#at + offset];
    if (byte === undefined) throw new DerError('element ends early');
    return byte;
  }
}

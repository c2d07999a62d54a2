/** The few forms of DER (ITU-T X.690) that a certificate is made of. */
export const der = {
  sequence: (...parts: readonly Buffer[]) => element(0x30, ...parts),
  set: (...parts: readonly Buffer[]) => element(0x31, ...parts),
  /** A context-specific, constructed tag: `[n] EXPLICIT`. */
  explicit: (tag: number, ...parts: readonly Buffer[]) => element(0xa0 + tag, ...parts),
  /** A context-specific, primitive tag: `[n] IMPLICIT`. */
  implicit: (tag: number, content: Buffer) => element(0x80 + tag, content),
  /** A positive whole number of any size. */
  integer: (bytes: Buffer) =>
    element(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes),
  boolean: (value: boolean) => element(0x01, Buffer.of(value ? 0xff : 0)),
  bits: (content: Buffer, unused = 0) => element(0x03, Buffer.of(unused), content),
  octets: (content: Buffer) => element(0x04, content),
  text: (value: string) => element(0x0c, Buffer.from(value, 'utf8')),
  /** GeneralizedTime, to the second. */
  time: (at: Date) => element(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, ''), 'ascii')),
  oid: objectIdentifier,
};

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...bytes), content]);
}

function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

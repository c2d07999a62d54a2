import { DerError, type DerReader, TAG } from './der.ts';

/** A whole number of any size; must be encoded minimally. */
export function readInteger(reader: DerReader, tag: number = TAG.integer): bigint {
  const bytes = reader.read(tag);
  const [first, second] = bytes;
  if (first === undefined) throw new DerError('empty integer');
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) {
    throw new DerError('integer is not minimal');
  }
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
}

/** A whole number that fits 64 bits with sign. */
export function readInt64(reader: DerReader, tag: number = TAG.integer): bigint {
  const value = readInteger(reader, tag);
  if (BigInt.asIntN(64, value) !== value) throw new DerError('integer beyond 64 bits');
  return value;
}

/** A Boolean: one byte, 0 or 255. */
export function readBoolean(reader: DerReader): boolean {
  const bytes = reader.read(TAG.boolean);
  if (bytes.length !== 1 || (bytes[0] !== 0 && bytes[0] !== 0xff)) throw new DerError('malformed boolean');
  return bytes[0] === 0xff;
}

/** An object identifier in dotted form; every part below 2^31. */
export function readOid(reader: DerReader): string {
  const [head, ...tail] = readParts(reader.read(TAG.oid));
  if (head === undefined) throw new DerError('empty object identifier');
  const root = head < 80 ? [Math.floor(head / 40), head % 40] : [2, head - 80];
  return [...root, ...tail].join('.');
}

/** Numbers in base 128, high bit set on all bytes but the last, without leading zeros. */
function readParts(bytes: Buffer): readonly number[] {
  const parts: number[] = [];
  let value = 0;
  let digits = 0;
  for (const byte of bytes) {
    const padded = digits === 0 && byte === 0x80;
    if (padded || digits === 5 || value >= 2 ** 24) throw new DerError('malformed object identifier');
    value = value * 128 + (byte & 0x7f);
    digits += 1;
    if (byte >= 0x80) continue;
    parts.push(value);
    value = 0;
    digits = 0;
  }
  if (digits !== 0) throw new DerError('object identifier ends early');
  return parts;
}

/** The bits of a bit string, aligned to the right as Go does for keys and signatures. */
export function readBitString(reader: DerReader): { readonly bytes: Buffer; readonly aligned: Buffer } {
  const content = reader.read(TAG.bitString);
  const padding = content[0];
  const bytes = content.subarray(1);
  if (padding === undefined || padding > 7 || (bytes.length === 0 && padding !== 0))
    throw new DerError('malformed bit string');
  const last = bytes.at(-1) ?? 0;
  if ((last & ((1 << padding) - 1)) !== 0) throw new DerError('padding bits are set');
  return { bytes, aligned: padding === 0 ? bytes : alignRight(bytes, padding) };
}

function alignRight(bytes: Buffer, padding: number): Buffer {
  const aligned = Buffer.alloc(bytes.length);
  for (let i = 0; i < bytes.length; i += 1) {
    aligned[i] = (((bytes[i - 1] ?? 0) << (8 - padding)) | ((bytes[i] ?? 0) >> padding)) & 0xff;
  }
  return aligned;
}

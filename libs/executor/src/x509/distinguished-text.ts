import { DerError, DerReader, TAG } from './der.ts';
import { readOid } from './der-values.ts';

/** One attribute of a name: its object identifier and its text. */
export interface NameAttribute {
  readonly type: string;
  readonly value: string;
}

/** Reads a name from its sequence, checking every text by the rules of its string type. Throws {@link DerError}. */
export function readName(whole: Buffer): readonly NameAttribute[] {
  const attributes: NameAttribute[] = [];
  const names = new DerReader(whole).enter(TAG.sequence);
  while (!names.empty) {
    const set = names.enter(TAG.set);
    while (!set.empty) {
      const attribute = set.enter(TAG.sequence);
      const type = readOid(attribute);
      const { tag, content } = attribute.any();
      attributes.push({ type, value: decodeText(tag, content) });
    }
  }
  return attributes;
}

/** A name as people write it: `CN=root, O=Example, C=US`. */
export function nameText(attributes: readonly NameAttribute[]): string {
  return attributes
    .map(({ type, value }) => `${SHORT_NAMES.get(type) ?? type}=${value}`)
    .toReversed()
    .join(', ');
}

/** Whether all bytes are ASCII. */
export function isIa5(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function decodeText(tag: number, bytes: Buffer): string {
  const latin = bytes.toString('latin1');
  switch (tag) {
    case TAG.t61:
      return latin;
    case TAG.printable:
      return require(/^[A-Za-z0-9'()+,\-./ :=?*&]*$/.test(latin), latin);
    case TAG.utf8:
      return decodeUtf8(bytes);
    case TAG.bmp:
      return decodeBmp(bytes);
    case TAG.ia5:
      return require(isIa5(bytes), latin);
    case TAG.numeric:
      return require(/^[0-9 ]*$/.test(latin), latin);
    default:
      throw new DerError(`unsupported string type ${tag}`);
  }
}

function require(valid: boolean, text: string): string {
  if (!valid) throw new DerError('character outside its string type');
  return text;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new DerError('invalid UTF-8');
  }
}

/** UCS-2: no surrogates, no non-characters; one terminating zero is dropped. */
function decodeBmp(bytes: Buffer): string {
  if (bytes.length % 2 !== 0) throw new DerError('odd BMPString');
  let text = '';
  for (let i = 0; i < bytes.length; i += 2) {
    const unit = bytes.readUInt16BE(i);
    const reserved =
      unit >= 0xfffe || (unit >= 0xfdd0 && unit <= 0xfdef) || (unit >= 0xd800 && unit <= 0xdfff);
    if (reserved) throw new DerError('invalid BMPString');
    text += String.fromCharCode(unit);
  }
  return text.endsWith('\0') ? text.slice(0, -1) : text;
}

// https://www.rfc-editor.org/rfc/rfc4514#section-3
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
]);

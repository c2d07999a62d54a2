/**
 * Decodes standard base64 as Go's `base64.StdEncoding` does: padding required, line breaks ignored, nothing else
 * tolerated. Node's own decoder skips what it does not know.
 *
 * @returns `undefined` for text that is no base64.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const packed = text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n]+/g, '') : text;
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return undefined;
  return Buffer.from(packed, 'base64');
}

/** The entries of a JSON object in the order in which the API server stores them: by the bytes of their names. */
export function sortedEntries(object: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(object).sort(([a], [b]) => compareBytes(a, b));
}

/** Orders texts by their UTF-8 bytes, which is the order of their code points. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

// UTF-16 puts surrogates below U+E000..U+FFFF; code points above U+FFFF belong behind them.
const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/**
 * Whether Go's JSON decoder takes `key` for the struct field `name`: the same text, or the same after simple Unicode
 * folding. Only two letters outside ASCII fold into it: U+017F (long s) and U+212A (Kelvin sign).
 *
 * @param name - a field name of ASCII letters.
 * @see https://pkg.go.dev/encoding/json#Unmarshal
 */
export function foldsTo(key: string, name: string): boolean {
  return key === name || (key.length === name.length && fold(key) === fold(name));
}

function fold(text: string): string {
  let folded = '';
  for (const char of text) {
    if (char === '\u017f') folded += 's';
    else if (char === '\u212a') folded += 'k';
    else folded += char >= 'A' && char <= 'Z' ? char.toLowerCase() : char;
  }
  return folded;
}

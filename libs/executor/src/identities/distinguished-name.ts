import { goTrim, trimBlanks } from '../go/go-trim.ts';

/** The attributes of a distinguished name: type to value, values as bytes in a latin-1 text. */
export type DistinguishedName = ReadonlyMap<string, string>;

/** Either the attributes, or in words what is wrong. */
export type ParsedName =
  | { readonly kind: 'name'; readonly attributes: DistinguishedName }
  | { readonly kind: 'problem'; readonly why: string };

/**
 * Parses a distinguished name by the rules of the Notary Project: attributes separated by `,` or `;`, none
 * multi-valued, each once, `C`, `ST` (or `S`) and `O` present.
 *
 * @see https://github.com/notaryproject/specifications/blob/v1.1.0/specs/trust-store-trust-policy.md
 */
export function parseDistinguishedName(text: string): ParsedName {
  if (text.includes('=#')) return problem('contains =#, which is not supported');
  const attributes = new Map<string, string>();
  const parts = goTrim(text) === '' ? [] : splitAttributes(Buffer.from(text).toString('latin1'));
  if (parts === undefined) return problem('is no list of attribute=value');
  for (const { type, value, more } of parts) {
    if (more) return problem('has a multi-valued attribute (+)');
    const name = type === 'S' ? 'ST' : type;
    if ((attributes.get(name) ?? '') !== '') return problem(`has the attribute ${name} twice`);
    attributes.set(name, value);
  }
  const missing = ['C', 'ST', 'O'].filter((name) => (attributes.get(name) ?? '') === '');
  return missing.length === 0 ? { kind: 'name', attributes } : problem(`lacks ${missing.join(', ')}`);
}

/** Whether every attribute of `part` is in `whole` with the same value. */
export function isSubset(part: DistinguishedName, whole: DistinguishedName): boolean {
  return [...part].every(([type, value]) => value === (whole.get(type) ?? ''));
}

const problem = (why: string): ParsedName => ({ kind: 'problem', why });

interface Attribute {
  readonly type: string;
  readonly value: string;
  /** Joined by `+` to the next one. */
  readonly more: boolean;
}

/** Splits at separators that are not escaped; the first `=` that follows a non-empty type ends the type. */
function splitAttributes(text: string): readonly Attribute[] | undefined {
  const attributes: Attribute[] = [];
  for (const { part, end } of splitUnescaped(text)) {
    const typed = splitType(part);
    const value = typed === undefined ? undefined : unescape(typed.rest);
    if (typed === undefined || value === undefined) return undefined;
    attributes.push({ type: typed.type, value, more: end === '+' });
  }
  return attributes;
}

/** The parts between separators, each with the separator behind it. */
function splitUnescaped(text: string): readonly { readonly part: string; readonly end: string }[] {
  const parts: { part: string; end: string }[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (char === '\\') i += 1;
    if (char !== ',' && char !== ';' && char !== '+') continue;
    parts.push({ part: text.slice(start, i), end: char });
    start = i + 1;
  }
  parts.push({ part: text.slice(start), end: '' });
  return parts;
}

/** Takes the type off; an empty one is passed over, so that `=C=US` has the type C. */
function splitType(part: string): { readonly type: string; readonly rest: string } | undefined {
  let start = 0;
  for (let i = 0; i < part.length; i += 1) {
    const char = part.charAt(i);
    if (char === '\\') i += 1;
    if (char !== '=') continue;
    const type = unescape(part.slice(start, i));
    if (type === undefined) return undefined;
    start = i + 1;
    if (type !== '') return { type, rest: part.slice(start) };
  }
  return undefined;
}

/** `text` without outer blanks and with its escapes decoded; `undefined` for an escape that is none. */
function unescape(text: string): string | undefined {
  const trimmed = trimBlanks(text);
  // A blank that was escaped belongs to the value.
  const source = trimmed.endsWith('\\') && text.endsWith(' ') ? `${trimmed} ` : trimmed;
  let decoded = '';
  for (let i = 0; i < source.length; i += 1) {
    const char = source.charAt(i);
    if (char !== '\\') {
      decoded += char;
    } else if (ESCAPABLE.has(source.charAt(i + 1))) {
      decoded += source.charAt(i + 1);
      i += 1;
    } else {
      const digits = source.slice(i + 1, i + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(digits)) return undefined;
      decoded += String.fromCharCode(Number.parseInt(digits, 16));
      i += 2;
    }
  }
  return decoded;
}

const ESCAPABLE: ReadonlySet<string> = new Set([' ', '"', '#', '+', ',', ';', '<', '=', '>', '\\']);

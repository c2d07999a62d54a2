/** Whether `text` is a mailbox by Go's reading of RFC 2821: a local part, plain or quoted, `@` and a domain. */
export function isMailbox(text: string): boolean {
  const end = text.startsWith('"') ? quotedEnd(text) : plainEnd(text);
  return end !== undefined && text[end] === '@' && isReversible(text.slice(end + 1));
}

/** Index behind the closing quote. */
function quotedEnd(text: string): number | undefined {
  for (let i = 1; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (char === '"') return i + 1;
    if (char === '\\') {
      i += 1;
      if (!/^[\x01-\x09\x0b\x0c\x0e-\x7f]$/.test(text.charAt(i))) return undefined;
    } else if (!/^[\x01-\x08\x0b\x0c\x0e-!#-[\]-\x7f]$/.test(char)) {
      return undefined;
    }
  }
  return undefined;
}

/** Index behind the local part; a backslash takes the character behind it. */
function plainEnd(text: string): number | undefined {
  let local = '';
  let i = 0;
  for (; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (char === '\\') {
      i += 1;
      if (i >= text.length) return undefined;
      local += text.charAt(i);
    } else if (/^[\w!#$%&'*+\-/=?^`{|}~.]$/.test(char)) {
      local += char;
    } else {
      break;
    }
  }
  const badDots = local.startsWith('.') || local.endsWith('.') || local.includes('..');
  return local === '' || badDots ? undefined : i;
}

/** Labels of printable ASCII, none of them empty; no domain at all passes. */
function isReversible(domain: string): boolean {
  return domain === '' || domain.split('.').every((label) => /^[!-~]+$/.test(label));
}

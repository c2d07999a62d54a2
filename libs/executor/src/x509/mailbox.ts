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
      if (!isQuotable(text.charAt(i)) && text.charAt(i) !== '\t') return undefined;
    } else if (!isQuotable(char)) {
      return undefined;
    }
  }
  return undefined;
}

/** Any ASCII character but NUL, tab, line feed and carriage return. */
function isQuotable(char: string): boolean {
  return char > '\0' && char <= '\u007f' && !'\t\n\r'.includes(char);
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

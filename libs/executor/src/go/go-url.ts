import { isIP } from 'node:net';

/** What Go's `url.Parse` makes of an address. */
export interface GoUrl {
  /** In lower case; empty when there is none. */
  readonly scheme: string;
  /** Host and port as written, escapes of non-ASCII bytes decoded. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/**
 * Parses `text` as Go's `url.Parse` does; `undefined` where Go gives an error. Userinfo is checked and dropped.
 *
 * @see https://pkg.go.dev/net/url#Parse
 */
export function parseGoUrl(text: string): GoUrl | undefined {
  const [beforeFragment, fragment] = cut(text, '#');
  const scheme = schemeOf(beforeFragment);
  if (hasControl(beforeFragment) || !hasGoodEscapes(fragment) || scheme === undefined) return undefined;
  const [rest, query] = cut(beforeFragment.slice(scheme === '' ? 0 : scheme.length + 1), '?');
  const place = parsePlace(rest, scheme.toLowerCase());
  if (place === undefined || !hasGoodEscapes(place.path)) return undefined;
  return { scheme: scheme.toLowerCase(), query, fragment, ...place };
}

/** Host and path of what stands between scheme and query. */
function parsePlace(rest: string, scheme: string): { host: string; path: string } | undefined {
  if (!rest.startsWith('/')) {
    // Behind a scheme: opaque. Without one: a relative path, whose first segment must not look like a scheme.
    if (scheme !== '') return { host: '', path: '' };
    return cut(rest, '/')[0].includes(':') ? undefined : { host: '', path: rest };
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return { host: '', path: rest };
  const slash = rest.indexOf('/', 2);
  const end = slash < 0 ? rest.length : slash;
  const host = parseGoAuthority(rest.slice(2, end), scheme);
  return host === undefined ? undefined : { host, path: rest.slice(end) };
}

/**
 * The host of an URL authority by Go's rules, or `undefined`. Several colons pass unless the scheme is http(s): Go
 * stays lenient for the host lists of databases.
 */
export function parseGoAuthority(authority: string, scheme: string): string | undefined {
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !(isUserinfo(authority.slice(0, at)) && hasGoodEscapes(authority.slice(0, at))))
    return undefined;
  return parseHost(authority.slice(at + 1), scheme);
}

function parseHost(host: string, scheme: string): string | undefined {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return undefined;
  if (bracket === 0) return parseIpLiteral(host);
  const first = host.indexOf(':');
  const strict = scheme === 'http' || scheme === 'https';
  const colon = strict ? first : host.lastIndexOf(':');
  if (first >= 0 && !isOptionalPort(host.slice(colon))) return undefined;
  return unescapeHost(host);
}

function parseIpLiteral(host: string): string | undefined {
  const close = host.lastIndexOf(']');
  if (close < 0 || !isOptionalPort(host.slice(close + 1))) return undefined;
  const [address, zone] = cut(host.slice(1, close), '%25');
  const withZone = host.slice(1, close).includes('%25');
  // A zone keeps its escapes in Go's own way; whatever they are, the result differs from what was written.
  if (address.includes('%') || isIP(address) !== 6 || (withZone && zone === '')) return undefined;
  return withZone ? `[${address}%${zone}]${host.slice(close + 1)}` : host;
}

function unescapeHost(host: string): string | undefined {
  const bytes: number[] = [];
  const written = Buffer.from(host).toString('latin1');
  for (let i = 0; i < written.length; i += 1) {
    const char = written.charAt(i);
    if (char === '%') {
      const code = hexAt(written, i + 1);
      // In a host only bytes outside ASCII, and the percent sign itself, may be escaped.
      if (code === undefined || (code < 0x80 && code !== 0x25)) return undefined;
      bytes.push(code);
      i += 2;
    } else {
      if (char < '\u0080' && !isHostChar(char)) return undefined;
      bytes.push(written.charCodeAt(i));
    }
  }
  return Buffer.from(bytes).toString();
}

/** A colon and digits, or nothing. Any number of digits, also none. */
function isOptionalPort(text: string): boolean {
  return text === '' || /^:[0-9]*$/.test(text);
}

const isHostChar = (char: string) => /[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"]/.test(char);
const isUserinfo = (text: string) => /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text);

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function hasGoodEscapes(text: string): boolean {
  for (let i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
    if (hexAt(text, i + 1) === undefined) return false;
  }
  return true;
}

function hexAt(text: string, index: number): number | undefined {
  const digits = text.slice(index, index + 2);
  return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

/** The scheme as written; empty when there is none; `undefined` when the text begins with a colon. */
function schemeOf(text: string): string | undefined {
  if (text.startsWith(':')) return undefined;
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

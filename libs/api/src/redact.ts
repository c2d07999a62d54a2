/**
 * `text` without secrets: key blocks, tokens, passwords, signatures and credentials in URLs become `[removed]`.
 * Certificate subjects, hosts, paths, ids and plain words stay readable. Redacting twice changes nothing.
 *
 * Redact before cutting: half a secret is not known as one.
 */
export function redact(text: string): string {
  return RULES.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text);
}

const REMOVED = '[removed]';

/** Names of what is always a secret, also in prose: `password: x`. */
const STRONG =
  'password|passwd|passphrase|pwd|client[_-]?secret|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|shared[_-]?access[_-]?(?:key|signature)';
/** Names that prose uses too: in `failed to get token: no such host` nothing is secret. */
const WEAK = 'secret|token|assertion|credential|cookie|(?<![a-z])pass';
const QUOTED = '\\\\"(?:[^"\\\\]|\\\\[^"]){0,8192}\\\\"|"(?:[^"\\\\]|\\\\.){0,8192}"|\'[^\']{0,8192}\'';
// What is removed already is not removed again.
const BARE = '(?!\\[removed)[^\\s"\'&;,)}\\]\\\\]+';
/** What a weak name may be said to be. */
const PLAIN = '(?:nil|null|none|undefined|empty|missing|unknown|invalid|expired|true|false|azure|static)\\b';
/** An equals sign, also as URLs encode it. */
const EQUALS = '\\s{0,4}(?:=|%3D)\\s{0,4}';
/**
 * Long, and with a letter behind a digit or a digit in a long word, as no name of an object and no path has it; not the
 * beginning of `https:` or of `AADSTS700016:`.
 */
const RANDOM =
  '(?=[\\w.~+/=-]*(?:\\d[a-z]|\\w{16})[\\w.~+/=-]*)(?=[\\w.~+/=-]*\\d)[\\w.~+/=-]{8,}(?![\\w.~+/=:-])';
const PEM_LABEL = '[A-Z0-9 ]{1,40}';

const RULES: readonly (readonly [RegExp, string])[] = [
  // Key blocks, also cut off before their end or behind their beginning. Certificates are no secrets, but long.
  [
    new RegExp(
      `-{4,5} ?BEGIN (${PEM_LABEL}?) ?-{4,5}(?:(?!----)[^])*(?:-{4,5} ?END ${PEM_LABEL}?-{4,5})?`,
      'gi',
    ),
    '[PEM $1 removed]',
  ],
  [new RegExp(`(?<![\\w+/=\\s\\\\])[\\w+/=\\s\\\\]{16,}-{5}END ${PEM_LABEL}-{5}`, 'gi'), REMOVED],
  // JSON in base64, also with a line break or blanks behind its brace: web tokens with their parts, registry configurations.
  [/(?<![A-Za-z0-9])(?:ey[JA]|ewo[gJ]|ew0K)[\w+/=-]{10,}(?:\.[\w-]*){0,4}/g, REMOVED],
  // DER in base64: keys, PKCS#12 files, and certificates with them.
  [/(?<![A-Za-z0-9+/])(?:MI[GHI]|MHcC|MC4C|MEcC)(?=[A-Z+/]*[a-z0-9])[\w+/-]{30,}={0,2}/g, REMOVED],
  // scheme://user:password@host
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]{1,512}@/gi, `$1${REMOVED}@`],
  [
    /\b(authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)(?:[a-z]{5,9}\s{1,4})?(?!\[removed)[^\s"',;\\]+/gi,
    `$1${REMOVED}`,
  ],
  // All cookies of a header: anything between them belongs to them.
  [
    /\b(cookie\\?["']?\s{0,4}:\s{0,4}\[?\\?["']?)(?!\[removed)(?=[^\s=;,"'\\]{1,256}=)[^\r\n"'\\]+/gi,
    `$1${REMOVED}`,
  ],
  // Not "basic constraints", nor "bearer authentication": a credential has a digit or capitals inside.
  [
    /\b([Bb]earer|BEARER|[Bb]asic|BASIC|[Nn]egotiate|NEGOTIATE)\s{1,4}(?=[\w.~+/=-]*(?:[\d=+/]|[a-z][A-Z]))[\w.~+/=-]{8,}/g,
    `$1 ${REMOVED}`,
  ],
  // URL parameters, and then the same names wherever something is assigned to them.
  [
    /((?:[?&](?:code|key|token|state)|(?<![a-z])(?:sig|signature))=)(?!\[removed)[^\s"'&;,)}\]]+/gi,
    `$1${REMOVED}`,
  ],
  [new RegExp(`((?:${STRONG})${EQUALS})(?:${QUOTED}|${BARE})`, 'gi'), `$1${REMOVED}`],
  [new RegExp(`((?:${WEAK})${EQUALS})(?!${PLAIN})(?:${QUOTED}|${BARE})`, 'gi'), `$1${REMOVED}`],
  [new RegExp(`((?:${STRONG}|${WEAK}|"auth)\\\\?["']\\s{0,4}:\\s{0,4})(?:${QUOTED})`, 'gi'), `$1${REMOVED}`],
  [new RegExp(`((?:${STRONG})["']?\\s{0,4}:\\s{0,4})(?:${QUOTED}|${BARE})`, 'gi'), `$1${REMOVED}`],
  [new RegExp(`((?:${WEAK})\\s{0,4}:\\s{0,4})(?:${QUOTED}|${RANDOM})`, 'gi'), `$1${REMOVED}`],
  // Behind a blank: a flag with its value, or a password in quotes.
  [
    new RegExp(`((?<![\\w-])--?(?:${STRONG}|${WEAK})\\s{1,4})(?:${QUOTED}|(?!-)${BARE})`, 'gi'),
    `$1${REMOVED}`,
  ],
  [new RegExp(`((?:${STRONG})\\s{1,4})(?:${QUOTED})`, 'gi'), `$1${REMOVED}`],
  // Tokens that are known by their form: GitHub, GitLab, Slack, AWS, Google, Docker, npm, Azure client secrets.
  [
    /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|dckr_pat_[\w-]{20,}|npm_[A-Za-z0-9]{30,})/g,
    REMOVED,
  ],
  [/(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{30,}/g, REMOVED],
];

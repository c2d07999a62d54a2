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
/** Long, with a digit, and not the beginning of `https:` or of `AADSTS700016:`. */
const RANDOM = '(?=[\\w.~+/=-]*\\d)[\\w.~+/=-]{8,}(?![\\w.~+/=:-])';

const RULES: readonly (readonly [RegExp, string])[] = [
  // Key blocks, also cut off before their end or behind their beginning. Certificates are no secrets, but long.
  [
    /-{4,5} ?BEGIN ([A-Z0-9 ]{1,40}?) ?-{4,5}(?:(?!----)[^])*(?:-{4,5} ?END [A-Z0-9 ]{1,40}?-{4,5})?/g,
    '[PEM $1 removed]',
  ],
  [/(?<![\w+/=\s\\])[\w+/=\s\\]{16,}-{5}END [A-Z0-9 ]{1,40}-{5}/g, REMOVED],
  // JSON in base64: web tokens with their parts, and registry configurations.
  [/(?<![A-Za-z0-9])ey[JA][\w+/=-]{10,}(?:\.[\w-]*){0,4}/g, REMOVED],
  // scheme://user:password@host
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]{1,512}@/gi, `$1${REMOVED}@`],
  [
    /\b(authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)(?:[a-z]{5,9}\s{1,4})?(?!\[removed)[^\s"',;\\]+/gi,
    `$1${REMOVED}`,
  ],
  // Not "basic constraints", nor "bearer authentication": a credential has a digit or capitals inside.
  [
    /\b([Bb]earer|BEARER|[Bb]asic|BASIC|[Nn]egotiate|NEGOTIATE)\s{1,4}(?=[\w.~+/=-]*(?:[\d=+/]|[a-z][A-Z]))[\w.~+/=-]{8,}/g,
    `$1 ${REMOVED}`,
  ],
  // URL parameters, and then the same names wherever something is assigned to them.
  [/([?&](?:sig|signature|code|key|token|state)=)(?!\[removed)[^\s"'&;,)}\]]+/gi, `$1${REMOVED}`],
  [new RegExp(`((?:${STRONG}|${WEAK})\\s{0,4}=\\s{0,4})(?:${QUOTED}|${BARE})`, 'gi'), `$1${REMOVED}`],
  [new RegExp(`((?:${STRONG}|${WEAK})\\\\?["']\\s{0,4}:\\s{0,4})(?:${QUOTED})`, 'gi'), `$1${REMOVED}`],
  [new RegExp(`((?:${STRONG})["']?\\s{0,4}:\\s{0,4})(?:${QUOTED}|${BARE})`, 'gi'), `$1${REMOVED}`],
  [new RegExp(`((?:${WEAK})\\s{0,4}:\\s{0,4})${RANDOM}`, 'gi'), `$1${REMOVED}`],
  // Tokens that are known by their form: GitHub, GitLab, Slack, AWS, Google, Docker, npm, Azure client secrets.
  [
    /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|dckr_pat_[\w-]{20,}|npm_[A-Za-z0-9]{30,})/g,
    REMOVED,
  ],
  [/(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{30,}/g, REMOVED],
];

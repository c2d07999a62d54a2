const REMOVED = '[removed]';

/**
 * `text` without secrets: key blocks, tokens, passwords, signatures and credentials in URLs become `[removed]`.
 * Certificate subjects, hosts, paths and ids stay readable. Redacting twice changes nothing.
 */
export function redact(text: string): string {
  return RULES.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text);
}

// Every pattern is linear: no nested repetition, no two adjacent ones that match the same character.
const RULES: readonly (readonly [RegExp, string])[] = [
  // Key blocks, also cut off before their end. Certificates and public keys are no secrets, but long: shortened too.
  [/-----BEGIN ([A-Z0-9 ]{1,40})-----[^-]*(?:-----END [A-Z0-9 ]{1,40}-----)?/g, `[PEM $1 removed]`],
  // JSON web tokens: three base64url parts, the first two beginning as JSON objects do.
  [/\bey[\w-]{8,}\.ey[\w-]{4,}(?:\.[\w-]*)?/g, REMOVED],
  // scheme://user:password@host
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@"'<>]{1,512}@/gi, `$1${REMOVED}@`],
  [/\b(bearer|basic|negotiate)\s+[\w.~+/=-]{8,}/gi, `$1 ${REMOVED}`],
  // Query parameters and fields that hold secrets, in the spellings of URLs, JSON, YAML and forms.
  [
    /(["']?\b(?:sig|signature|se_token|code|client_?secret|client_?assertion|assertion|(?:access|refresh|id|identity|registry|session|security|auth|api)_?-?(?:token|key)|token|secret|password|passwd|pwd|pass|apikey|account_?key|shared_?access_?(?:key|signature)|private_?key|x-amz-(?:signature|security-token|credential)|authorization|cookie|set-cookie)["']?\s{0,4}[=:]\s{0,4})("[^"]{0,4096}"|'[^']{0,4096}'|[^\s"'&;,)}\]]+)/gi,
    `$1${REMOVED}`,
  ],
  // Tokens that are known by their prefix: GitHub, GitLab, Slack, AWS, Google, Azure AD client secrets.
  [
    /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|dckr_pat_[\w-]{20,})/g,
    REMOVED,
  ],
  [/\b\w{3}8Q~[\w.~-]{30,}/g, REMOVED],
];

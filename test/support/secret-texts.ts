/** Marks what must never be shown, so that a search finds any part of it. */
export const MARK = 'S3CR3T';
const JWT = `eyJhbGciOiJSUzI1NiJ9.eyJ${MARK}InN1YiI6IngifQ.${MARK}c2lnbmF0dXJl`;
export const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----\n${MARK}QDAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w\n-----END PRIVATE KEY-----`;

/** Texts as they stand in errors of providers; `@` is where a secret of each kind goes. */
const SENTENCES = [
  'request failed: @',
  'GET @ failed',
  'authentication failed for @: try again',
  'cannot parse "@"',
  '@',
  'line one\n@\nline three',
  '{"error":"denied","detail":"@"}',
  'chain: outer: inner: @',
  'header @ was refused by vault.azure.net',
  'wrapped (@)',
];
const SECRETS = [
  PRIVATE_KEY,
  PRIVATE_KEY.replaceAll('PRIVATE', 'RSA PRIVATE'),
  PRIVATE_KEY.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'),
  PRIVATE_KEY.slice(0, 80),
  JWT,
  `Bearer ${JWT}`,
  `Authorization: Bearer ${MARK}abcdefgh`,
  `Authorization: Basic ${MARK}dXNlcjpwYXNz`,
  `https://user:${MARK}@registry.example/v2/`,
  `https://${MARK}@registry.example/v2/`,
  `https://acct.blob.core.windows.net/c?sv=2024&sig=${MARK}%2Fabc%3D&se=2027`,
  `https://h/?access_token=${MARK}abc`,
  `client_secret=${MARK}~abc.def`,
  `client_assertion=${JWT}`,
  `"password":"${MARK} with blanks"`,
  `password: ${MARK}`,
  `refresh_token=${MARK}`,
  `AccountKey=${MARK}abc==;EndpointSuffix=core.windows.net`,
  `SharedAccessKey=${MARK}abc=`,
  `https://h/?sv=1&signature=${MARK}`,
  `token=${MARK}`,
  `{"auths":{"ghcr.io":{"auth":"${MARK}aHVudGVyMg=="}}}`,
  `ewoJImF1dGhzIjog${MARK}aHVudGVyMg==`,
  `--password ${MARK}`,
  `password "${MARK}"`,
  `secret: "${MARK}"`,
  `client_secret%3D${MARK}`,
  `SharedAccessSignature sig=${MARK}`,
  `X-Amz-Signature=${MARK}`,
  `Set-Cookie: sid=${MARK}; Path=/`,
  `-----BEGIN Private Key-----\n${MARK}QDAgEAMBMGByqGSM49\n-----END Private Key-----`,
  `"value":"MIIK${MARK}AwYLKoZIhvcNAQcBoIIKnQSCCpkwggqV"`,
];

/** Some hundred texts as errors of providers and disks may be, each with a secret that bears the mark. */
export const SECRET_TEXTS: readonly string[] = SENTENCES.flatMap((sentence) =>
  SECRETS.map((secret) => sentence.replace('@', () => secret)),
);

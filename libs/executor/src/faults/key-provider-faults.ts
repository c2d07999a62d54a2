import { type FaultText, inSpec } from './fault-text.ts';

const CERTS = 'PEM text with one or more blocks of the label CERTIFICATE';
const KEYS = 'PEM text with one or more blocks of the label PUBLIC KEY';

/** Faults of the key providers `inline` and `files`. */
export const KEY_PROVIDER_FAULTS = {
  UnknownKeyProvider: inSpec(
    'inline, files or azurekeyvault',
    'Use one of these three; capital letters count.',
  ),
  KeyProviderOptionsType: inSpec(
    "the type that the provider's options have there",
    'Correct the type: inline takes an object with certs or keys, files a list of paths.',
  ),
  InlineCertsNotPem: inSpec(
    CERTS,
    'Paste the PEM text with its line breaks, each BEGIN at the start of a line.',
  ),
  InlineCertsTrailingData: inSpec(
    'nothing behind the last PEM block',
    'Remove the comment, broken block or other text behind it.',
  ),
  InlineCertInvalid: inSpec('certificates that Go can parse', 'Replace the certificate.'),
  InlineCertsNone: inSpec(CERTS, 'Add a certificate, or leave certs out.'),
  InlineKeysNotPem: inSpec(KEYS, 'Paste the PEM text of the public key with its line breaks.'),
  InlineKeysTrailingData: inSpec(
    'nothing behind the last PEM block',
    'Remove the comment, broken block or other text behind it.',
  ),
  InlineKeyInvalid: inSpec(
    'public keys that Go can parse, in PKIX form',
    'Replace the key; PKCS#1 needs the label RSA PUBLIC KEY.',
  ),
  InlineKeysNone: inSpec(KEYS, 'Add a public key (not a private one), or leave keys out.'),
  FilesPathsMissing: inSpec('at least one path', 'List the files or folders with certificates.'),
  FileCertificateInvalid: {
    cause: 'filesystem',
    expected: 'only certificates, as PEM or DER, in every file below the path',
    next: 'Replace the file, or name the certificate files one by one.',
  },
} as const satisfies Record<string, FaultText>;

const inVault = (expected: string, next: string): FaultText => ({ cause: 'network', expected, next });

/** Faults of the key provider `azurekeyvault`. */
export const KEY_VAULT_FAULTS = {
  KeyVaultUrlMissing: inSpec(
    'the address of the vault',
    'Set vaultURL, such as https://name.vault.azure.net.',
  ),
  KeyVaultNothingRequested: inSpec(
    'at least one certificate or key',
    'List what to fetch under certificates or keys.',
  ),
  KeyVaultObjectNameMissing: inSpec('the name of the object', 'Set name.'),
  KeyVaultUrlInvalid: inSpec(
    'an https address with a host',
    'Correct vaultURL, such as https://name.vault.azure.net.',
  ),
  KeyVaultFetchFailed: inVault(
    'an answer with the object',
    'Check the network between this pod, the vault and the token endpoint.',
  ),
  KeyVaultNoCertificates: inVault(
    'certificates: notation does not use keys',
    'List certificates, or use cosign.',
  ),
  KeyVaultContentTypeInvalid: inVault(
    'the content type application/x-pkcs12 or application/x-pem-file',
    'Store it as a certificate in the vault.',
  ),
  KeyVaultCertificateInvalid: inVault(
    'a certificate chain as PEM, or as PKCS#12 without password',
    'Import the certificate again.',
  ),
  KeyVaultKeyDisabled: inVault('an enabled key', 'Enable the key in the vault, or name another version.'),
  KeyVaultKeyInvalid: inVault(
    'an EC key (P-256, P-384, P-521) or an RSA key of 2048, 3072 or 4096 bits',
    'Name such a key.',
  ),
  KeyVaultPanic: inVault(
    'an answer with content type or attributes',
    'Repair the object in the vault. Ratify panics on this answer and reports nothing.',
  ),
} as const satisfies Record<string, FaultText>;

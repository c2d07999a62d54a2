/**
 * What Ratify accepts but can hardly have been meant: a closed set, with what each says and what to do. In the order of
 * their weight: a report shows the first of each code before the second of any, and five in all.
 */
export const WARNING_CODES = {
  PrivateKeyInSpec:
    'There is a private key in the spec, readable by all who may read executors. Remove it and replace the key.',
  KeylessWithoutIdentity:
    'This keyless trust policy asks for no identity: anybody who can sign with Sigstore passes. Set identity and issuer.',
  PolicyMissing:
    'There is no policyEnforcer: every verification result says that it did not succeed. Add a threshold policy.',
  CertificateExpired:
    'A certificate has ended. Ratify builds with it, and every verification that needs it fails. Replace it.',
  CosignKeysMissing:
    'A cosign trust policy names a key provider that has no keys: every verification fails. Add public keys.',
  FilesPathMissing:
    'Nothing can be read at this path in this pod. Ratify skips it silently. Mount it or remove the path.',
  FilesPathEmpty:
    'There is no certificate below this path. Ratify trusts nothing from it. Fill the folder or remove the path.',
  FilesPathLinkToFolder:
    'This path is a link to a folder; Ratify loads nothing from it. Add a slash at the end.',
  TrustStoreEmpty:
    'A trust store has no certificate: every verification that needs it fails. Add certificates.',
  PolicyVerifierUnknown:
    'A policy rule names a verifier that this executor does not have; the rule can never be met.',
  IdentityPrefixUnknown:
    'Notation knows x509.subject only; this identity matches nothing. Put x509.subject: before the name.',
  ScopeNeverMatches: 'No image reference can match this scope. Correct it.',
  CertificateNotYetValid:
    'A certificate is not valid yet. Ratify builds with it, and what needs it fails until then. Wait or replace it.',
  KeyVaultNotAsked: 'By setting, the key vault was not asked: this verdict says nothing about its content.',
  SigstoreRootNotAsked:
    'By setting, the Sigstore root was not fetched: this verdict says nothing about whether Ratify can.',
  FieldIgnored: 'Ratify does not know this field and ignores it. Check its spelling.',
  ScopeUnusual:
    'This scope is accepted, but hardly names a registry: it looks joined, mistyped or in the wrong case.',
  FieldTwice: 'Two spellings of one field are given; Ratify merges them or takes the later one. Keep one.',
  ThresholdFraction: 'A threshold is a fraction; Ratify cuts it to a whole number. Write the whole number.',
  VerifierNameDuplicate:
    'Two verifiers have one name; a policy rule cannot tell them apart. Give each its own name.',
  FieldNameCase:
    'This field is written in another way than documented; Ratify takes it all the same. Use the documented spelling.',
} as const satisfies Record<string, string>;

export type WarningCode = keyof typeof WARNING_CODES;

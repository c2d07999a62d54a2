import { type FaultText, inSpec } from './fault-text.ts';

const REPOSITORY = 'a repository with its registry, such as registry.example/app, or a single *';
const IDENTITY =
  'x509.subject: followed by a distinguished name, such as x509.subject: C=US, ST=WA, O=Example';
const SCOPE =
  'a registry (registry.example), a wildcard registry (*.example) or a repository (registry.example/app)';
const REGEX = 'a pattern in RE2 syntax (https://github.com/google/re2/wiki/Syntax)';

/** Faults of a notation verifier. */
export const NOTATION_FAULTS = {
  NotationCertificatesMissing: inSpec(
    'at least one entry of certificates',
    'Add an entry with a key provider: inline, files or azurekeyvault.',
  ),
  NotationTrustStoreTypeInvalid: inSpec(
    'ca, tsa or signingAuthority, or no type at all',
    'Use one of these three; without a type it is ca.',
  ),
  NotationTrustStoreTypeDuplicate: inSpec(
    'each trust store type once; an entry without type is ca',
    'Put the providers of both entries into one.',
  ),
  NotationScopeInvalid: inSpec(
    REPOSITORY,
    'Name repositories here: a bare registry, a tag or a wildcard is refused.',
  ),
  NotationScopeWildcardMixed: inSpec('* alone', 'Remove the wildcard or all other scopes.'),
  NotationScopeDuplicate: inSpec('each scope once', 'Remove one of the two.'),
  NotationIdentityWildcardMixed: inSpec('* alone', 'Remove the wildcard or all other identities.'),
  NotationIdentityEmpty: inSpec(IDENTITY, 'Remove the empty identity or fill it in.'),
  NotationIdentityNoSeparator: inSpec(IDENTITY, 'Put x509.subject: before the distinguished name.'),
  NotationIdentityNoValue: inSpec(IDENTITY, 'Write the distinguished name behind the colon.'),
  NotationIdentityInvalidDN: inSpec(
    'a distinguished name with C, ST and O in capital letters, each attribute once',
    'Correct the distinguished name.',
  ),
  NotationIdentityOverlap: inSpec(
    'distinguished names none of which is contained in another',
    'Keep the wider one or make both distinct.',
  ),
  CertificateNotTrustAnchor: inSpec(
    'only CA certificates or self-signed ones',
    'Use the root or intermediate CA instead of the leaf, or remove the leaf from the list.',
  ),
} as const;

/** Faults of a cosign verifier. */
export const COSIGN_FAULTS = {
  CosignTrustPoliciesMissing: inSpec('at least one trust policy', 'Add an entry to trustPolicies.'),
  CosignTrustPolicyNull: inSpec('an object', 'Remove the null entry.'),
  CosignKeyProvidersTooMany: inSpec(
    'at most one key provider',
    'Keep one provider under keys; use one trust policy for each.',
  ),
  CosignIdentityRegexInvalid: inSpec(
    REGEX,
    'Rewrite the pattern: look-around and back references do not exist there.',
  ),
  CosignIdentityIncomplete: inSpec(
    'an identity and an issuer, each as text or as a pattern',
    'Give the missing one.',
  ),
  SigstoreRootUnavailable: {
    cause: 'network',
    expected: "Sigstore's trusted root, which Ratify fetches while it builds a keyless trust policy",
    next: 'Allow this pod to reach tuf-repo-cdn.sigstore.dev, or use keys.',
  },
  CosignScopeEmpty: inSpec(SCOPE, 'Remove the empty scope or fill it in.'),
  CosignScopeInvalid: inSpec(SCOPE, 'Write the scope without scheme, blanks, path or query.'),
  CosignScopeTagOrDigest: inSpec('a repository without tag or digest', 'Remove the tag or digest.'),
  CosignScopeWildcardInvalid: inSpec(
    'no wildcard, or one *. at the start of a registry',
    'Write *.example, or name the registries one by one.',
  ),
  CosignScopeDuplicate: inSpec(
    'each scope in one trust policy only; a policy without scopes has those of the executor',
    'Give each trust policy scopes of its own.',
  ),
} as const satisfies Record<string, FaultText>;

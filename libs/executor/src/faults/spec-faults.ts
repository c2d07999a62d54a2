import { inSpec } from './fault-text.ts';

const SCOPE =
  'a registry (registry.example, registry.example:5000), a wildcard registry (*.example) or a repository (registry.example/app)';

/** Faults in the frame of an executor: its lists, types, scopes. */
export const SPEC_FAULTS = {
  SpecFieldType: inSpec(
    'the type that the CRD gives this field',
    "Correct the type; install Ratify's CRD with its schema.",
  ),
  NullListItem: inSpec('an object', 'Remove the null item. Ratify panics on it and reports nothing.'),
  ScopesMissing: inSpec(
    'at least one scope',
    'List the registries or repositories that this executor verifies.',
  ),
  VerifiersMissing: inSpec('at least one verifier', 'Add a verifier of type notation or cosign.'),
  StoresMissing: inSpec('exactly one store', 'Add one store of type registry-store.'),
  VerifierNameOrTypeMissing: inSpec(
    'a name and a type that are not empty',
    'Give the verifier a name and the type notation or cosign.',
  ),
  UnknownVerifierType: inSpec(
    'exactly notation or cosign',
    'Use one of these two; capital letters and blanks count.',
  ),
  VerifierParametersType: inSpec(
    "the type that the verifier's parameters have there",
    'Correct the type of this value, also if it looks unused.',
  ),
  ScopeEmpty: inSpec(SCOPE, 'Remove the empty scope or fill it in.'),
  ScopeInvalid: inSpec(SCOPE, 'Write the scope without scheme, blanks, path or query.'),
  ScopeTagOrDigest: inSpec(
    'a repository without tag or digest',
    'Remove the tag or digest: a scope covers the whole repository.',
  ),
  ScopeWildcardInvalid: inSpec(
    'no wildcard, or one *. at the start of a registry',
    'Write *.example, or name the registries one by one.',
  ),
  ScopeDuplicate: inSpec('each scope once', 'Remove one of the two.'),
  ScopeTakenByOtherExecutor: inSpec(
    'a scope that no other executor of this set has',
    'Remove the scope from one of the two executors.',
  ),
} as const;

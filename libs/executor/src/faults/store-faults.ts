import { type FaultText, inSpec } from './fault-text.ts';

const environment = (expected: string, next: string): FaultText => ({ cause: 'environment', expected, next });

/** Faults of stores and their credentials. */
export const STORE_FAULTS = {
  StoresNeedScopes: inSpec(
    'exactly one store',
    'Keep one: a resource cannot give stores scopes of their own.',
  ),
  StoreTypeMissing: inSpec('registry-store', 'Set the type.'),
  UnknownStoreType: inSpec('exactly registry-store', 'Use registry-store; capital letters and blanks count.'),
  FilesystemStoreUnusable: inSpec(
    'registry-store',
    'Use registry-store: Ratify cannot build filesystem-oci-store from a resource.',
  ),
  StoreParametersType: inSpec(
    "the type that the store's parameters have there",
    'Correct the type of this value.',
  ),
  CredentialMissing: inSpec('a credential', 'Set credential: {provider: static} for anonymous access.'),
  CredentialProviderMissing: inSpec('static or azure', 'Set provider; static alone is anonymous.'),
  CredentialProviderType: inSpec('a text: static or azure', 'Correct the type.'),
  CredentialProviderEmpty: inSpec('static or azure', 'Fill in provider.'),
  UnknownCredentialProvider: inSpec(
    'exactly static or azure',
    'Use one of these two; the names of Ratify v1 are gone.',
  ),
  CredentialOptionsType: inSpec(
    "the type that the provider's options have there",
    'Correct the type; put a numeric password in quotes.',
  ),
  IdentityBindingNotConfigured: environment(
    'AZURE_ACR_IDENTITY_BINDING_SNI_NAME or AZURE_KUBERNETES_SNI_NAME in the environment of the pod',
    'Set one of them and recreate the pod, or turn identityBinding off.',
  ),
  IdentityBindingConfigInvalid: environment(
    'a bare host name as SNI name, and an API server host or a token proxy address without path',
    'Correct the variables and recreate the pod.',
  ),
  StoreCaBase64Invalid: inSpec(
    'standard base64 with padding and without blanks',
    'Encode the PEM text with base64.',
  ),
  StoreCaInvalid: inSpec(
    'PEM text with at least one block of the label CERTIFICATE, without headers',
    'Replace the CA bundle.',
  ),
} as const satisfies Record<string, FaultText>;

/** Faults of the policy enforcer. */
export const POLICY_FAULTS = {
  PolicyTypeMissing: inSpec('threshold-policy', 'Set the type, or remove policyEnforcer.'),
  UnknownPolicyType: inSpec(
    'exactly threshold-policy',
    'Use threshold-policy; capital letters and blanks count.',
  ),
  PolicyParametersType: inSpec('an object', 'Correct the type.'),
  PolicyRuleMissing: inSpec('a rule', 'Set parameters.policy, such as {rules: [{verifierName: name}]}.'),
  PolicyRuleType: inSpec(
    'a rule: verifierName (text), threshold (number), rules (list of rules)',
    'Correct the type.',
  ),
  PolicyRootVerifier: inSpec(
    'rules only: the root names no verifier',
    'Move verifierName into an entry of rules.',
  ),
  PolicyThresholdNegative: inSpec('0 or more', 'Correct the threshold; 0 means all rules.'),
  PolicyThresholdTooHigh: inSpec(
    'at most the number of rules next to it',
    'Lower the threshold; a rule without rules takes none.',
  ),
  PolicyRuleEmpty: inSpec(
    'a verifierName or rules',
    'Fill in the rule or remove it; names are case-sensitive here.',
  ),
} as const;

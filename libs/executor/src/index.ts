export { type Agents, podAgents } from './azure/agents.ts';
export { type AzureKeyVaultOptions, azureKeyVault } from './azure/azure-key-vault.ts';
export { keyOfAnswer, secretOfAnswer } from './azure/vault-answers.ts';
export { WARNING_CODES, type WarningCode } from './build/warning-codes.ts';
export { buildExecutor } from './build-executor.ts';
export { type Admission, admit } from './crd/crd-admission.ts';
export type {
  Environment,
  FoundFile,
  KeyVault,
  SigstoreRoot,
  VaultKey,
  VaultRequest,
  VaultSecret,
  Walk,
} from './environment.ts';
export { FAULT_CODES, type FaultCode } from './faults/fault-codes.ts';
export type { FaultCause, FaultText } from './faults/fault-text.ts';
export { type Judged, judgeSet } from './judge-set.ts';
export type { Member, Outcome } from './member.ts';
export { type PodEnvironmentOptions, podEnvironment } from './pod/pod-environment.ts';
export { reachableSigstoreRoot, unreachableKeyVault, unreachableSigstoreRoot } from './pod/unreachable.ts';
export { ProviderError, type ProviderErrorOptions } from './provider-error.ts';
export { RatifySet, type Reconciled } from './ratify-set.ts';
export { sharedEnvironment } from './shared-environment.ts';
export {
  defaultCachePath,
  type TufSigstoreRootOptions,
  tufSigstoreRoot,
} from './sigstore/tuf-sigstore-root.ts';

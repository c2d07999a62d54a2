import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import type { Located } from '../go/go-type.ts';
import { buildThresholdPolicy } from '../policy/threshold-policy.ts';
import { EXECUTOR_SCOPES, requireDistinct, requireScope } from '../scopes/scope-register.ts';
import type { StoredSpec, TypedSpec, VerifierSpec } from '../spec/decode-spec.ts';
import { buildRegistryStore } from '../stores/registry-store.ts';
import { buildCosign } from '../verifiers/cosign.ts';
import { buildNotation } from '../verifiers/notation.ts';
import type { BuildContext } from './build-notes.ts';
import { warnOfScopes } from './warn-of-scopes.ts';

/** Builds everything in Ratify's order; the first fault is thrown. This is the one place that joins the builders. */
export async function buildSpec(spec: StoredSpec, context: BuildContext): Promise<void> {
  const { scopes, verifiers, stores, policyEnforcer } = spec;
  if (scopes.value.length === 0) throw new Fault('ScopesMissing', { path: scopes.path, found: 'no scope' });
  if (verifiers.value.length === 0)
    throw new Fault('VerifiersMissing', { path: verifiers.path, found: 'no verifier' });
  for (const verifier of verifiers.value) await buildVerifier(verifier, scopes.value, context);
  buildStores(stores, context);
  for (const scope of scopes.value) requireScope(scope, EXECUTOR_SCOPES);
  if (policyEnforcer === undefined) context.notes.warn('PolicyMissing', 'spec.policyEnforcer');
  else buildPolicy(policyEnforcer, verifiers.value, context);
  requireDistinct(scopes.value, EXECUTOR_SCOPES);
  warnOfScopes(scopes.value, context.notes);
  warnOfNames(verifiers.value, context);
}

async function buildVerifier(
  verifier: VerifierSpec,
  scopes: readonly Located<string>[],
  context: BuildContext,
): Promise<void> {
  const { name, type, parameters } = verifier;
  const missing = [name, type].find(({ value }) => value === '');
  if (missing !== undefined)
    throw new Fault('VerifierNameOrTypeMissing', { path: missing.path, found: 'an empty text' });
  switch (type.value) {
    case 'notation':
      return buildNotation(parameters, context);
    case 'cosign':
      return buildCosign(parameters, scopes, context);
    default:
      throw new Fault('UnknownVerifierType', { path: type.path, found: `the type ${quote(type.value)}` });
  }
}

/** Exactly one: the resource cannot give a store scopes, and with two or more each would need its own. */
function buildStores(stores: Located<readonly TypedSpec[]>, context: BuildContext): void {
  const [store, ...more] = stores.value;
  if (store === undefined) throw new Fault('StoresMissing', { path: stores.path, found: 'no store' });
  if (more.length > 0)
    throw new Fault('StoresNeedScopes', { path: stores.path, found: `${more.length + 1} stores` });
  const { path, value } = store.type;
  switch (value) {
    case 'registry-store':
      return buildRegistryStore(store.parameters, context);
    case 'filesystem-oci-store':
      throw new Fault('FilesystemStoreUnusable', { path, found: quote(value) });
    case '':
      throw new Fault('StoreTypeMissing', { path, found: 'an empty text' });
    default:
      throw new Fault('UnknownStoreType', { path, found: `the type ${quote(value)}` });
  }
}

function buildPolicy(policy: TypedSpec, verifiers: readonly VerifierSpec[], context: BuildContext): void {
  const { path, value } = policy.type;
  if (value === '') throw new Fault('PolicyTypeMissing', { path, found: 'an empty text' });
  if (value !== 'threshold-policy')
    throw new Fault('UnknownPolicyType', { path, found: `the type ${quote(value)}` });
  buildThresholdPolicy(policy.parameters, new Set(verifiers.map(({ name }) => name.value)), context);
}

function warnOfNames(verifiers: readonly VerifierSpec[], { notes }: BuildContext): void {
  const seen = new Set<string>();
  for (const { name } of verifiers) {
    if (seen.has(name.value)) notes.warn('VerifierNameDuplicate', name.path, quote(name.value));
    seen.add(name.value);
  }
}

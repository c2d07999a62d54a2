import type { BuildContext } from '../build/build-notes.ts';
import { checkFieldNames } from '../build/field-names.ts';
import { warnOfScopes } from '../build/warn-of-scopes.ts';
import { decode } from '../faults/decode.ts';
import { Fault } from '../faults/fault.ts';
import { goStruct } from '../go/go-struct.ts';
import { goList, goPointer, type Located } from '../go/go-type.ts';
import { createKeyProvider } from '../key-providers/create-key-provider.ts';
import { CosignScopes } from '../scopes/cosign-scopes.ts';
import { buildKeyless } from './keyless.ts';
import { TRUST_POLICY, type TrustPolicy } from './trust-policy.ts';

const PARAMETERS_TYPE = goStruct({ trustPolicies: goList(goPointer(goStruct(TRUST_POLICY))) });

/** Builds a cosign verifier: one trust policy after the other, each completely. */
export async function buildCosign(
  parameters: Located<unknown>,
  executorScopes: readonly Located<string>[],
  context: BuildContext,
): Promise<void> {
  const { trustPolicies } = decode(PARAMETERS_TYPE, parameters, 'VerifierParametersType');
  checkFieldNames(parameters, PARAMETERS_TYPE, context.notes);
  if (trustPolicies.value.length === 0) {
    throw new Fault('CosignTrustPoliciesMissing', { path: trustPolicies.path, found: 'no trust policy' });
  }
  const register = new CosignScopes();
  for (const { path, value: policy } of trustPolicies.value) {
    if (policy === undefined) throw new Fault('CosignTrustPolicyNull', { path, found: 'null' });
    if ((policy.keys.value?.size ?? 0) > 0) await buildKeyed(policy, context);
    else await buildKeyless({ path, value: policy }, context);
    if (policy.scopes.value.length === 0) register.inherit(path, executorScopes);
    else register.add(policy.scopes.value);
    warnOfScopes(policy.scopes.value, context.notes);
  }
}

/** With keys: the provider is created, and asked for its keys only when something is verified. */
async function buildKeyed({ keys }: TrustPolicy, context: BuildContext): Promise<void> {
  const providers = [...(keys.value ?? [])];
  if (providers.length > 1) {
    const found = `${providers.length} key providers`;
    throw new Fault('CosignKeyProvidersTooMany', { path: keys.path, found });
  }
  for (const [name, options] of providers) {
    const provided = await createKeyProvider(name, options, context);
    if (provided.keys === 0) context.notes.warn('CosignKeysMissing', options.path);
  }
}

import type { BuildContext } from '../build/build-notes.ts';
import { checkFieldNames } from '../build/field-names.ts';
import { decode } from '../faults/decode.ts';
import { Fault } from '../faults/fault.ts';
import { found, kindOf, quote } from '../faults/found.ts';
import { goStruct } from '../go/go-struct.ts';
import { type GoType, goBool, goPointer, goString, type Located } from '../go/go-type.ts';
import { childPath } from '../json-path.ts';
import { requireIdentityBinding } from './identity-binding.ts';

type Options = ReadonlyMap<string, Located<unknown>>;

const STATIC = goStruct({ password: goString, username: goString });
const AZURE = goStruct({
  clientID: goString,
  identityBinding: goPointer(goStruct({ enabled: goBool })),
  tenantID: goString,
});

/** Builds the credential of a registry store. There is no anonymous provider: `static` alone is it. */
export function buildCredential(credential: Located<Options | undefined>, context: BuildContext): void {
  const { path, value: options } = credential;
  if (options === undefined) throw new Fault('CredentialMissing', { path, found: 'no credential' });
  const provider = providerOf(path, options);
  switch (provider.value) {
    case 'static':
      decodeOptions(STATIC, { path, value: options }, context);
      return;
    case 'azure': {
      const { identityBinding } = decodeOptions(AZURE, { path, value: options }, context);
      if (identityBinding.value?.enabled.value === true)
        requireIdentityBinding(identityBinding.path, context.environment);
      return;
    }
    default:
      throw new Fault('UnknownCredentialProvider', { path: provider.path, found: quote(provider.value) });
  }
}

function providerOf(path: string, options: Options): Located<string> {
  const provider = options.get('provider');
  if (provider === undefined) {
    throw new Fault('CredentialProviderMissing', { path: childPath(path, 'provider'), found: 'no provider' });
  }
  const { path: place, value } = provider;
  if (typeof value !== 'string')
    throw new Fault('CredentialProviderType', { path: place, found: kindOf(value) });
  if (value === '') throw new Fault('CredentialProviderEmpty', { path: place, found: found(value) });
  return { path: place, value };
}

/** Ratify encodes the map again and decodes it into the provider's struct, so names match in any case here. */
function decodeOptions<T>(type: GoType<T>, { path, value }: Located<Options>, { notes }: BuildContext): T {
  const { provider: _, ...object } = Object.fromEntries([...value].map(([key, entry]) => [key, entry.value]));
  const decoded = decode(type, { path, value: object }, 'CredentialOptionsType');
  checkFieldNames({ path, value: object }, type, notes);
  return decoded;
}

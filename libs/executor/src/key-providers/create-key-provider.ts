import type { BuildContext } from '../build/build-notes.ts';
import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import type { Located } from '../go/go-type.ts';
import { buildAzureKeyVault } from './azure-key-vault.ts';
import { buildFiles } from './files.ts';
import { buildInline } from './inline.ts';
import type { Provided } from './key-provider.ts';

/** Creates the key provider of that exact name; it loads everything now. */
export async function createKeyProvider(
  name: string,
  options: Located<unknown>,
  context: BuildContext,
): Promise<Provided> {
  switch (name) {
    case 'inline':
      return buildInline(options, context);
    case 'files':
      return buildFiles(options, context);
    case 'azurekeyvault':
      return buildAzureKeyVault(options, context);
    default:
      throw new Fault('UnknownKeyProvider', { path: options.path, found: `the key provider ${quote(name)}` });
  }
}

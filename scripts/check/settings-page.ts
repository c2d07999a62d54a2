import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ConfigSchema, configTable } from '@executor-status/process';
import type { GeneratedFile } from '../crds/executor-crds.ts';

/** `docs/settings.md`: every setting of every app, from the schema that the app itself checks them with. */
export async function settingsPage(root: string): Promise<readonly GeneratedFile[]> {
  const apps = (await readdir(join(root, 'apps'))).toSorted();
  const sections = await Promise.all(apps.map((app) => section(root, app)));
  return [{ path: 'docs/settings.md', text: HEAD + sections.join('') }];
}

const HEAD = `# Settings

<!-- Made by "npm run fix" from apps/*/src/config.ts: do not edit. -->

A flag wins over its environment variable, that over the file named by \`--config\` (YAML or JSON), that over the default. An unknown flag or
key and a bad value are refused with a line that names the key and what is allowed; an empty variable counts as absent.
\`--print-config\` prints what is in effect and where each value came from. Lists have commas between their members in flags and variables.
`;

async function section(root: string, app: string): Promise<string> {
  const path = join(root, 'apps', app, 'src', 'config.ts');
  if (!existsSync(path)) return '';
  const module: { readonly CONFIG_SCHEMA?: ConfigSchema } = await import(pathToFileURL(path).href);
  if (module.CONFIG_SCHEMA === undefined) throw new Error(`${path} does not export CONFIG_SCHEMA`);
  return `\n## ${app}\n\n${configTable(module.CONFIG_SCHEMA)}`;
}

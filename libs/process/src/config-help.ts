import { allowedValues } from './allowed-values.ts';
import type { ConfigSchema, Setting } from './config-schema.ts';
import { BUILT_IN_FLAGS } from './parse-flags.ts';
import { ENV_PREFIX, envName, flagName } from './setting-names.ts';

/** The text of `--help`. */
export function configHelp(program: string, schema: ConfigSchema): string {
  const settings = sorted(schema).map(
    ([key, setting]) =>
      `  ${flagName(key)}\n      ${setting.description}\n      ${allowedValues(setting)}; ${defaultOf(schema, key, setting)}; ${envName(key, setting, ENV_PREFIX)}\n`,
  );
  const builtIn = Object.entries(BUILT_IN_FLAGS).map(([flag, does]) => `  ${flag}\n      ${does}\n`);
  return `${program} [flags]\n\nA flag wins over its environment variable, that over the file of --config, that over the default.\n\n${[...settings, ...builtIn].join('')}`;
}

/** The settings as a Markdown table, for the docs. */
export function configTable(schema: ConfigSchema): string {
  const rows = sorted(schema).map(([key, setting]) => [
    `\`${flagName(key)}\``,
    `\`${envName(key, setting, ENV_PREFIX)}\``,
    `\`${key}\``,
    allowedValues(setting),
    defaultOf(schema, key, setting),
    setting.description,
  ]);
  const head = ['Flag', 'Environment', 'Key in a file', 'Values', 'Default', 'Meaning'];
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |\n`)
    .join('');
}

function sorted(schema: ConfigSchema): [string, Setting][] {
  return Object.entries(schema.properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function defaultOf(schema: ConfigSchema, key: string, setting: Setting): string {
  if (setting.default !== undefined) return `default ${JSON.stringify(setting.default)}`;
  return schema.required.includes(key) ? 'required' : 'not set by default';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

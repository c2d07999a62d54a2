import type { ConfigSchema } from './config-schema.ts';
import { BUILT_IN_FLAGS } from './parse-flags.ts';
import { type SettingFacts, settingFacts } from './setting-facts.ts';

/** The text of `--help`. */
export function configHelp(program: string, schema: ConfigSchema): string {
  const builtIn = Object.entries(BUILT_IN_FLAGS).map(([flag, does]) => `  ${flag}\n      ${does}\n`);
  return [
    `${program} [flags]\n\n`,
    'A flag wins over its environment variable, that over the file of --config, that over the default.\n\n',
    ...settingFacts(schema).map(paragraph),
    ...builtIn,
  ].join('');
}

function paragraph({ flag, variable, values, byDefault, required, description }: SettingFacts): string {
  const fallback = required ? 'required' : byDefault === undefined ? 'not set' : `default ${byDefault}`;
  return `  ${flag}\n      ${description}\n      ${values}; ${fallback}; ${variable}\n`;
}

import type { ConfigSchema } from './config-schema.ts';
import { type SettingFacts, settingFacts } from './setting-facts.ts';

/** The settings as a Markdown table, for the docs. */
export function configTable(schema: ConfigSchema): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...settingFacts(schema).map(cells)];
  return rows.map((row) => `| ${row.map(escapeBars).join(' | ')} |\n`).join('');
}

const HEAD = ['Flag', 'Environment', 'Key in a file', 'Values', 'Default', 'Meaning'];

function cells({ flag, variable, key, values, byDefault, required, description }: SettingFacts): string[] {
  const fallback = required ? 'required' : byDefault === undefined ? 'not set' : code(byDefault);
  return [code(flag), code(variable), code(key), values, fallback, description];
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A bar ends a cell, even inside code. */
function escapeBars(text: string): string {
  return text.replaceAll('|', '\\|');
}

import { allowedValues } from './allowed-values.ts';
import type { ConfigSchema } from './config-schema.ts';
import { ENV_PREFIX, envName, flagName } from './setting-names.ts';

/** What people are told of one setting. */
export interface SettingFacts {
  readonly flag: string;
  readonly variable: string;
  readonly key: string;
  /** What it takes, as the end of "must be …". */
  readonly values: string;
  /** The default as it would be written in a flag; `undefined` when there is none. */
  readonly byDefault: string | undefined;
  readonly required: boolean;
  readonly description: string;
}

/** The facts of every setting, by key. */
export function settingFacts(schema: ConfigSchema): SettingFacts[] {
  return Object.entries(schema.properties)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, setting]) => ({
      flag: flagName(key),
      variable: envName(key, setting, ENV_PREFIX),
      key,
      values: allowedValues(setting),
      byDefault: asFlagText(setting.default),
      required: schema.required.includes(key),
      description: setting.description,
    }));
}

function asFlagText(value: string | number | boolean | readonly string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  return text === '' ? 'empty' : text;
}

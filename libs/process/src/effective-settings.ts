import { boundText } from '@executor-status/api';
import { allowedValues } from './allowed-values.ts';
import { ConfigError, type ConfigProblem, type ConfigSource } from './config-error.ts';
import type { ConfigSchema } from './config-schema.ts';
import { fromTexts } from './from-texts.ts';
import { parseFlags } from './parse-flags.ts';
import { type ConfigFile, readConfigFile } from './read-config-file.ts';
import { ENV_PREFIX, envName, flagName } from './setting-names.ts';
import { type SettingFault, validateSettings } from './validate-settings.ts';

/** Where a configuration is read from; parameters, so that tests need no process. */
export interface ConfigInput {
  /** The command line after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file as text, or throws. */
  readonly readFile: (path: string) => string;
  /** What environment variables begin with; `EXECUTOR_STATUS_` when left out. */
  readonly envPrefix?: string;
}

/** The value of one setting as it stands in a file, and where it came from; `undefined` when nothing gives one. */
export interface EffectiveSetting {
  readonly value: unknown;
  readonly source: ConfigSource;
}

export type EffectiveSettings = ReadonlyMap<string, EffectiveSetting>;

/**
 * Every setting of `schema`: the flag wins over the environment variable, that over the file of `--config`, that over the
 * default. An empty variable counts as absent; variables that no setting names are not looked at.
 *
 * @throws {ConfigError} naming every unknown flag or file key, and every value that the schema refuses.
 */
export function effectiveSettings(schema: ConfigSchema, input: ConfigInput): EffectiveSettings {
  const prefix = input.envPrefix ?? ENV_PREFIX;
  const flags = parseFlags(schema, input.argv);
  const file = readConfigFile(
    flags.configFile ?? (input.env[`${prefix}CONFIG`] || undefined),
    input.readFile,
  );

  const settings = new Map<string, EffectiveSetting>();
  for (const [key, setting] of Object.entries(schema.properties)) {
    const variable = envName(key, setting, prefix);
    const inEnv = input.env[variable];
    const candidates: readonly EffectiveSetting[] = [
      { value: fromTexts(setting, flags.texts.get(key) ?? []), source: `flag ${flagName(key)}` },
      { value: inEnv ? fromTexts(setting, [inEnv]) : undefined, source: `variable ${variable}` },
      { value: file.values[key], source: `file ${file.path}` },
      { value: setting.default, source: 'default' },
    ];
    const [first = NOT_SET] = candidates.filter(({ value }) => value !== undefined);
    settings.set(key, first);
  }

  const problems = [...flags.problems, ...file.problems, ...refusals({ schema, settings, file, prefix })];
  if (problems.length > 0) throw new ConfigError(problems, withDefaultsFor(problems, schema, settings));
  return settings;
}

const NOT_SET: EffectiveSetting = { value: undefined, source: 'not set' };

interface Found {
  readonly schema: ConfigSchema;
  readonly settings: EffectiveSettings;
  readonly file: ConfigFile;
  readonly prefix: string;
}

function refusals(found: Found): ConfigProblem[] {
  const { schema, settings, file } = found;
  const given = [...settings].filter(([, { value }]) => value !== undefined);
  // The keys of the file are in, so that the schema sees those that it does not know.
  const values = { ...file.values, ...Object.fromEntries(given.map(([key, { value }]) => [key, value])) };
  return validateSettings(schema, values).map((fault) => problemOf(fault, found));
}

function problemOf({ key, kind }: SettingFault, { schema, settings, file, prefix }: Found): ConfigProblem {
  const setting = schema.properties[key];
  if (setting === undefined || kind === 'unknown') {
    const allowed = Object.keys(schema.properties).join(', ');
    return {
      key,
      source: `file ${file.path}`,
      message: `unknown key ${JSON.stringify(key)}; allowed are ${allowed}`,
    };
  }
  const { value, source } = settings.get(key) ?? NOT_SET;
  if (kind === 'missing') {
    const message = `${key} is required: set ${flagName(key)} or ${envName(key, setting, prefix)}`;
    return { key, source, message };
  }
  const shown =
    setting['x-secret'] === true ? 'the secret value' : boundText(JSON.stringify(value), MAX_SHOWN_BYTES);
  return { key, source, message: `${key} must be ${allowedValues(setting)}, not ${shown}` };
}

/** How much of a refused value an error repeats. */
const MAX_SHOWN_BYTES = 100;

function withDefaultsFor(
  problems: readonly ConfigProblem[],
  schema: ConfigSchema,
  settings: EffectiveSettings,
) {
  const bad = new Set(problems.map(({ key }) => key));
  return new Map(
    [...settings].map(([key, setting]) => [
      key,
      bad.has(key) ? { value: schema.properties[key]?.default, source: 'default' } : setting,
    ]),
  );
}

import type { ConfigOf, ConfigSchema } from './config-schema.ts';
import { parseDuration } from './duration.ts';
import { type ConfigInput, type EffectiveSettings, effectiveSettings } from './effective-settings.ts';

/**
 * The configuration that `schema` describes: flag > environment variable > file of `--config` > default. Durations become
 * milliseconds (`grace` becomes `graceMs`).
 *
 * @throws {ConfigError} naming every key that is unknown, absent or has a value that is not allowed, and what is.
 */
export function loadConfig<S extends ConfigSchema>(input: ConfigInput & { readonly schema: S }): ConfigOf<S> {
  return toConfig(input.schema, effectiveSettings(input.schema, input));
}

/** The settings as the program uses them. `settings` must be those of `schema`, checked. */
export function toConfig<S extends ConfigSchema>(schema: S, settings: EffectiveSettings): ConfigOf<S> {
  const values = [...settings].map(([key, { value }]): [string, unknown] =>
    isDuration(schema, key) && typeof value === 'string' ? [`${key}Ms`, parseDuration(value)] : [key, value],
  );
  // The schema has been checked against these very values; TypeScript cannot follow that.
  return Object.fromEntries(values) as ConfigOf<S>;
}

function isDuration(schema: ConfigSchema, key: string): boolean {
  const setting = schema.properties[key];
  return setting?.type === 'string' && setting.format === 'duration';
}

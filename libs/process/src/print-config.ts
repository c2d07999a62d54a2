import type { ConfigSchema } from './config-schema.ts';
import type { EffectiveSettings } from './effective-settings.ts';

/**
 * The effective settings as YAML that `--config` takes, each with where it came from. A secret is a comment that says only
 * whether it is set, and a setting without a value is a comment too.
 */
export function printConfig(schema: ConfigSchema, settings: EffectiveSettings): string {
  const lines = [...settings].map(([key, { value, source }]) => {
    if (value === undefined) return `# ${key}: not set`;
    if (schema.properties[key]?.['x-secret'] === true) return `# ${key}: [hidden] # ${source}`;
    return `${key}: ${JSON.stringify(value)} # ${source}`;
  });
  return `${lines.join('\n')}\n`;
}

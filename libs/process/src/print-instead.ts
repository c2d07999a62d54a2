import type { App } from './app.ts';
import { ConfigError } from './config-error.ts';
import { configHelp } from './config-help.ts';
import type { ConfigSchema } from './config-schema.ts';
import { effectiveSettings } from './effective-settings.ts';
import { EXIT_MISCONFIGURED, EXIT_STOPPED } from './exit-codes.ts';
import type { Host } from './host.ts';
import { parseFlags } from './parse-flags.ts';
import { printConfig } from './print-config.ts';

/** Answers `--help`, `--version` or `--print-config`, and says with which code to exit; `undefined` when none was asked. */
export function printInstead<S extends ConfigSchema>(app: App<S>, host: Host): number | undefined {
  const { show } = parseFlags(app.schema, host.argv);
  switch (show) {
    case undefined:
      return undefined;
    case 'help':
      host.write(configHelp(app.name, app.schema));
      return EXIT_STOPPED;
    case 'version':
      host.write(`${app.name} ${app.version}\n`);
      return EXIT_STOPPED;
    case 'config':
      return printSettings(app.schema, host);
  }
}

function printSettings(schema: ConfigSchema, host: Host): number {
  try {
    host.write(printConfig(schema, effectiveSettings(schema, host)));
    return EXIT_STOPPED;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    host.complain(`${error.message}\n`);
    return EXIT_MISCONFIGURED;
  }
}

import type { EffectiveSettings } from './effective-settings.ts';
import { MisconfigurationError } from './misconfiguration-error.ts';

/** Where a value came from: `flag --grace`, `variable POD_NAME`, `file /etc/x.yaml`, `default`. */
export type ConfigSource = string;

/** One thing that is wrong with the configuration. */
export interface ConfigProblem {
  /** The key of the setting, or the unknown key itself. */
  readonly key: string;
  readonly source: ConfigSource;
  /** What is wrong and what would be right. */
  readonly message: string;
}

/** The configuration cannot be used. The message is one line that names every key, where it was set, and what is allowed. */
export class ConfigError extends MisconfigurationError {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];
  /** Every setting that is right, and the default of every other: enough to log and to answer probes while parked. */
  readonly usable: EffectiveSettings;

  constructor(problems: readonly ConfigProblem[], usable: EffectiveSettings) {
    super(`bad configuration: ${problems.map((one) => `${one.source}: ${one.message}`).join('; ')}`);
    this.problems = problems;
    this.usable = usable;
  }
}

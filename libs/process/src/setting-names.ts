import type { Setting } from './config-schema.ts';

/** What the environment variables of this project begin with. */
export const ENV_PREFIX = 'EXECUTOR_STATUS_';

/** `leaseDuration` as a flag: `--lease-duration`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `leaseDuration` as an environment variable: `EXECUTOR_STATUS_LEASE_DURATION`, or the one that the setting names. */
export function envName(key: string, setting: Setting | undefined, prefix: string): string {
  return setting?.['x-env'] ?? prefix + key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The directory for what takes long to make and can be made again. It lies outside the work tree, so
 * that a fresh clone is fast too.
 *
 * @returns `$XDG_CACHE_HOME/executor-status/…`, by default `~/.cache/executor-status/…`.
 */
export function cacheDirectory(env: Environment, ...parts: readonly string[]): string {
  const root = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache');
  return join(root, 'executor-status', ...parts);
}

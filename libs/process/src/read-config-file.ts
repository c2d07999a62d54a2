import { parse } from 'yaml';
import type { ConfigProblem } from './config-error.ts';

/** What a configuration file says. */
export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly ConfigProblem[];
}

/** Reads `path` as YAML, of which JSON is a part. Without a path, or with an empty file, nothing is set. */
export function readConfigFile(path: string | undefined, readFile: (path: string) => string): ConfigFile {
  if (path === undefined) return { path: '', values: {}, problems: [] };
  try {
    const content: unknown = parse(readFile(path)) ?? {};
    if (isRecord(content)) return { path, values: content, problems: [] };
    return unreadable(path, 'must be a map of settings');
  } catch (error) {
    // The first line names the fault and the place; the rest would repeat the file, secrets included.
    const [reason] = error instanceof Error ? error.message.split('\n') : [];
    return unreadable(path, `cannot be read: ${reason}`);
  }
}

function unreadable(path: string, message: string): ConfigFile {
  return { path, values: {}, problems: [{ key: 'config', source: `file ${path}`, message }] };
}

function isRecord(content: unknown): content is Record<string, unknown> {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, runCommand } from './run-command.ts';

/** A text file of the project. */
export interface ProjectFile {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly text: string;
}

/** Every text file that is in git or would be added to it. A file with a NUL byte is no text. */
export async function projectFiles(): Promise<readonly ProjectFile[]> {
  const { code, output } = await runCommand('git', ['ls-files', '-z', '-co', '--exclude-standard']);
  if (code !== 0) throw new Error(`cannot list the files of the project: ${output}`);
  const paths = [...new Set(output.split('\0'))].filter((path) => path !== '');
  const files = await Promise.all(
    paths.map(async (path) => ({ path, bytes: await readFile(join(ROOT, path)).catch(() => undefined) })),
  );
  // Undefined: deleted, but still in git's list; or a link to nowhere, as among the fixtures.
  return files.flatMap(({ path, bytes }) =>
    bytes === undefined || bytes.includes(0) ? [] : [{ path, text: bytes.toString('utf8') }],
  );
}

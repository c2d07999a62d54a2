import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../scripts/node-flags.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A program for Node: what it is told, and its main file. */
export interface Program {
  readonly nodeFlags: readonly string[];
  readonly entry: string;
  /** Beside what every pod finds. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The two apps as they go into the images. */
export interface Bundles {
  readonly writer: Program;
  readonly aggregator: Program;
}

/**
 * Builds the apps as for the images, and keeps copies in `directory`, so that another build does not change what is measured.
 *
 * @throws {Error} with what the build printed, if it fails.
 */
export async function buildBundles(directory: string): Promise<Bundles> {
  const build = [join(ROOT, 'scripts/build.ts')];
  await promisify(execFile)(process.execPath, ['--conditions=source', ...build], { cwd: ROOT });
  const keep = async (app: keyof typeof NODE_FLAGS): Promise<Program> => {
    const to = join(directory, app);
    // Beside no package.json, a file is a module by its syntax.
    await cp(join(ROOT, 'apps', app, 'dist'), join(to, 'dist'), { recursive: true });
    await cp(join(ROOT, 'apps', app, 'package.json'), join(to, 'package.json'));
    return { nodeFlags: NODE_FLAGS[app], entry: join(to, 'dist/main.js'), env: NODE_ENVIRONMENT };
  };
  return { writer: await keep('executor-writer'), aggregator: await keep('status-aggregator') };
}

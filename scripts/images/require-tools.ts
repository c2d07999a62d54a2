import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runTool } from './run-tool.ts';

/** Programs by name or absolute path, each with the Debian package that has it. */
export type Tools = Readonly<Record<string, string>>;

/**
 * Makes sure that programs are there; installs those that are missing where that can be done: as root, with apt-get.
 *
 * @throws {Error} naming what is missing and the packages to install.
 */
export async function requireTools(tools: Tools, log: (line: string) => void): Promise<void> {
  const missing = Object.keys(tools).filter((tool) => !isInstalled(tool));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((tool) => tools[tool] ?? tool))];
  if (process.getuid?.() !== 0 || !isInstalled('apt-get')) {
    throw new Error(`${missing.join(', ')} not found; install ${packages.join(', ')} and try again`);
  }
  log(`installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runTool('apt-get', ['update', '-qq'], { env });
  await runTool('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

function isInstalled(tool: string): boolean {
  if (tool.startsWith('/')) return isExecutable(tool);
  const places = (process.env['PATH'] ?? '').split(delimiter);
  // Some Debian packages put programs where only root looks.
  return [...places, '/usr/sbin', '/sbin'].some((place) => isExecutable(join(place, tool)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Maps a path of a vector to one on this disk. Relative paths begin at the folder that holds `fixtures`; the text of the
 * path is kept otherwise, as a slash at its end or a `..` behind a link means something.
 *
 * @param fixtures - the folder `fixtures` itself, under whatever name, or the folder that holds it.
 */
export function fixturesPath(fixtures: string | undefined, file: string): (path: string) => string {
  const folder = resolve(fixtures ?? dirname(file));
  if (isFolder(join(folder, 'fixtures'))) return (path) => below(folder, path);
  if (basename(folder) === 'fixtures') return (path) => below(dirname(folder), path);
  return (path) =>
    /^fixtures(?:\/|$)/.test(path) ? folder + path.slice('fixtures'.length) : below(dirname(folder), path);
}

function below(folder: string, path: string): string {
  return path === '' || path.startsWith('/') ? path : `${folder}/${path}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

import type { Walk } from '../environment.ts';
import { walk } from './walk.ts';

/**
 * Walks below another root: what the spec calls `/certs` is `root/certs` on this disk. Messages keep the paths of the
 * spec. Links are followed on this disk, so absolute links should not lead out of `root`.
 */
export function walkBelow(root: string): (path: string) => Promise<Walk> {
  const base = root.endsWith('/') ? root.slice(0, -1) : root;
  return async (path) => {
    if (path === '') return walk(path);
    const below = `${base}/${path.startsWith('/') ? path.slice(1) : path}`;
    const found = await walk(below);
    const files = found.files.map((file) => ({ ...file, path: path + file.path.slice(below.length) }));
    return { ...found, files };
  };
}

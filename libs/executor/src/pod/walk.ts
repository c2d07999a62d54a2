import type { Stats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import type { FoundFile, Walk } from '../environment.ts';

/** Most files below one path that are looked for: in a larger folder, one of the first will be no certificate. */
const MAX_FILES = 10_000;

/**
 * Walks `path` as Go's `filepath.Walk` does: to the bottom, in the order of names, links not followed, except that a
 * link to a file counts as that file. What cannot be looked at is skipped. A link to a folder loads nothing, unless
 * `path` itself ends in a slash. Never rejects.
 *
 * @see https://pkg.go.dev/path/filepath#Walk
 */
export async function walk(path: string): Promise<Walk> {
  const root = await lstatOrWhy(path);
  if (typeof root === 'string') return { files: [], watched: path === '' ? [] : [path], skipped: root };
  const found: Found = { files: [], watched: [path], seen: new Set() };
  const linkToFolder = root.isSymbolicLink() && (await isFolder(path));
  await visit(path, root, found);
  const nothing = found.files.length === 0;
  const skipped = linkToFolder ? 'link to a folder' : nothing ? 'no files' : undefined;
  return { files: found.files, watched: found.watched, ...(skipped === undefined ? {} : { skipped }) };
}

interface Found {
  readonly files: FoundFile[];
  readonly watched: string[];
  /** One file behind two links is read once. */
  readonly seen: Set<string>;
}

async function visit(path: string, stats: Stats, found: Found): Promise<void> {
  if (found.files.length >= MAX_FILES) return;
  if (!stats.isDirectory()) return visitFile(path, stats, found);
  found.watched.push(path);
  const names = await readdir(path, { encoding: 'buffer' }).catch(() => []);
  // By bytes, as Go sorts.
  for (const name of names.sort((a, b) => a.compare(b)).map(String)) {
    const child = path.endsWith('/') ? path + name : `${path}/${name}`;
    const childStats = await lstatOrWhy(child);
    if (typeof childStats !== 'string') await visit(child, childStats, found);
  }
}

async function visitFile(path: string, stats: Stats, found: Found): Promise<void> {
  found.watched.push(path);
  const realPath = stats.isSymbolicLink() ? await realpath(path).catch(() => undefined) : path;
  if (realPath === undefined) return;
  const target = stats.isSymbolicLink() ? await lstatOrWhy(realPath) : stats;
  if (typeof target === 'string' || target.isDirectory() || found.seen.has(realPath)) return;
  found.seen.add(realPath);
  found.watched.push(realPath);
  found.files.push({ path, realPath });
}

async function isFolder(path: string): Promise<boolean> {
  const target = await realpath(path).then(lstatOrWhy, () => 'missing' as const);
  return typeof target !== 'string' && target.isDirectory();
}

async function lstatOrWhy(path: string): Promise<Stats | 'missing' | 'unreadable'> {
  try {
    // Node refuses a NUL byte by itself, as the kernel would.
    return await lstat(path);
  } catch (error) {
    return (error as { code?: unknown }).code === 'EACCES' ? 'unreadable' : 'missing';
  }
}

import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../scripts/kube/is-alive.ts';

/**
 * Makes a temporary directory of this process, and removes those of processes that have ended without
 * removing theirs.
 *
 * @param purpose - the first part of its name.
 * @returns its absolute path; the caller removes it.
 */
export async function ownDirectory(purpose: string): Promise<string> {
  const root = join(tmpdir(), 'executor-status');
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    const owner = Number(/-(\d+)-[^-]*$/.exec(name)?.[1]);
    // Another user's leftovers are not ours to remove; that must not stop us.
    if (!isAlive(owner)) await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
  }
  return await mkdtemp(join(root, `${purpose}-${process.pid}-`));
}

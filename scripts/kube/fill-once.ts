import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './is-alive.ts';

/** A directory that is either complete or absent. */
export interface FillOnce {
  /** Where the result shall stand. */
  readonly directory: string;
  /** Whether `directory` already holds everything; asked again once the lock is ours. */
  readonly isComplete: () => Promise<boolean>;
  /** Makes the content in the given empty directory, which becomes `directory` when it returns. */
  readonly fill: (temporary: string) => Promise<void>;
  readonly log: (line: string) => void;
}

/**
 * Fills a cache directory, once among all processes of this machine that ask at the same time.
 *
 * The content is made beside the directory and published by a rename, so nobody ever sees half of it,
 * whenever the process dies. The lock only saves work: should two processes both believe that a dead
 * owner left it, both fill, and either result is good.
 */
export async function fillOnce({ directory, isComplete, fill, log }: FillOnce): Promise<void> {
  await mkdir(dirname(directory), { recursive: true });
  const unlock = await lock(`${directory}.lock`, log);
  try {
    if (await isComplete()) return;
    await removeLeftovers(directory);
    const temporary = `${directory}.tmp-${process.pid}-${randomUUID().slice(0, 8)}`;
    await mkdir(temporary);
    try {
      await fill(temporary);
      // What stands there is incomplete, or we would not be here.
      await rm(directory, { recursive: true, force: true });
      await rename(temporary, directory);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  } finally {
    await unlock();
  }
}

/** How often a waiting process looks again, in milliseconds. */
const POLL_MS = 300;

async function lock(path: string, log: (line: string) => void): Promise<() => Promise<void>> {
  const own = `${path}.${process.pid}-${randomUUID().slice(0, 8)}`;
  await writeFile(own, String(process.pid));
  try {
    let told = false;
    // A link appears together with its content, so a lock without an owner's pid cannot be seen.
    while (!(await linked(own, path))) {
      const owner = Number(await readFile(path, 'utf8').catch(() => undefined));
      if (!isAlive(owner)) {
        await rm(path, { force: true });
        continue;
      }
      if (!told) log(`waiting for process ${owner}, which makes ${basename(path, '.lock')}`);
      told = true;
      await sleep(POLL_MS);
    }
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(path, { force: true });
}

async function linked(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeLeftovers(directory: string): Promise<void> {
  const prefix = `${basename(directory)}.tmp-`;
  for (const name of await readdir(dirname(directory))) {
    if (!name.startsWith(prefix)) continue;
    const owner = Number(name.slice(prefix.length).split('-')[0]);
    if (!isAlive(owner)) await rm(join(dirname(directory), name), { recursive: true, force: true });
  }
}

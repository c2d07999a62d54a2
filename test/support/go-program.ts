import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../../scripts/kube/cache-directory.ts';
import { fillOnce } from '../../scripts/kube/fill-once.ts';
import { runWithProgress } from '../../scripts/kube/run-with-progress.ts';

/** A Go program of `test/go`, built. */
export interface GoProgram {
  /** The absolute path of the binary. */
  readonly path: string;
  /**
   * Runs it once.
   *
   * @returns its standard output.
   * @throws {Error} if it fails; the message has its standard error.
   */
  readonly run: (input: string, ...args: readonly string[]) => Promise<string>;
}

const PROGRAMS = fileURLToPath(new URL('../go', import.meta.url));

/**
 * Builds a program of `test/go`, unless these very sources have been built on this machine before.
 *
 * @param name - its directory.
 * @param log - takes one line at a time while it is built.
 * @throws {Error} if the build fails; the message has the last lines of Go's output.
 */
export async function goProgram(
  name: string,
  log: (line: string) => void = () => undefined,
): Promise<GoProgram> {
  const source = join(PROGRAMS, name);
  const directory = cacheDirectory(process.env, 'go', `${name}-${await sourceHash(source)}`);
  const path = join(directory, name);
  const isComplete = () =>
    access(path).then(
      () => true,
      () => false,
    );
  if (!(await isComplete())) {
    const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
    const fill = async (into: string) => {
      const args = ['build', '-mod=readonly', '-trimpath', '-o', join(into, name), '.'];
      await runWithProgress({ step: `go build ${name}`, command: 'go', args, directory: source, env, log });
    };
    await fillOnce({ directory, isComplete, fill, log });
  }
  return { path, run: (input, ...args) => run({ path, input, args }) };
}

async function sourceHash(directory: string): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of (await readdir(directory)).toSorted()) {
    hash.update(`${file}\n`).update(await readFile(join(directory, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

interface Run {
  readonly path: string;
  readonly input: string;
  readonly args: readonly string[];
}

async function run({ path, input, args }: Run): Promise<string> {
  const child = spawn(path, args, { stdio: 'pipe' });
  child.stdin.on('error', () => undefined); // It ended without reading everything; its exit code says why.
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`${path} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BuildOrder, type BuiltImage, buildImages } from './build-images.ts';
import { runTool } from './run-tool.ts';

/**
 * Bundles and builds everything once more, from a copy of the project in another folder: the same commit shall give the same
 * images, wherever and whenever it is built.
 *
 * @param built - what {@link buildImages} made of the same order.
 * @returns the files that have other bytes than the first time, archives and SBOMs alike; none is how it shall be.
 */
export async function changedImages(
  order: BuildOrder,
  built: readonly BuiltImage[],
): Promise<readonly string[]> {
  const work = await mkdtemp(join(tmpdir(), 'executor-status-again-'));
  try {
    const root = join(work, 'elsewhere');
    await copyProject(order.root, root, work);
    await runTool(process.execPath, ['--conditions=source', 'scripts/build.ts'], { directory: root });
    const output = join(work, 'images');
    await buildImages({ ...order, root, output });
    const files = built.flatMap(({ archive }) => [archive, archive.replace(/\.tar$/, '.spdx.json')]);
    const judged = files.map(async (file) => ({
      file,
      same: (await digestOf(file)) === (await digestOf(join(output, basename(file)))),
    }));
    return (await Promise.all(judged)).filter(({ same }) => !same).map(({ file }) => file);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** What git knows of, as it stands in the work tree, and the installed packages. */
async function copyProject(from: string, to: string, work: string): Promise<void> {
  await mkdir(to);
  const list = join(work, 'files');
  const files = await runTool('git', ['ls-files', '-z'], { directory: from });
  await writeFile(list, files);
  const packed = join(work, 'project.tar');
  await runTool('tar', ['--create', `--file=${packed}`, '--null', `--files-from=${list}`], {
    directory: from,
  });
  await runTool('tar', ['--extract', `--file=${packed}`], { directory: to });
  await runTool('cp', ['--archive', '--reflink=auto', join(from, 'node_modules'), to]);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

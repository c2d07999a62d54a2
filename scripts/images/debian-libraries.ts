import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Architecture } from './image-specs.ts';
import { runTool } from './run-tool.ts';

/** A Debian package that goes into an image. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
}

/** What the Node binary is linked with. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6'];

/**
 * Fetches the shared libraries of Node for an architecture with apt, whatever this machine is, and unpacks them.
 *
 * @param work - an empty folder of its own; the files are in `root` below it afterwards.
 * @returns the packages that were taken.
 */
export async function debianLibraries(
  architecture: Architecture,
  work: string,
): Promise<readonly DebianPackage[]> {
  const [lists, cache, debs, root] = ['lists', 'cache', 'debs', 'root'].map((name) => join(work, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [join(lists, 'partial'), join(cache, 'archives/partial'), debs, root]) {
    await mkdir(folder, { recursive: true });
  }
  // Lists of its own, so that nothing of this machine's package system changes.
  const apt = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  await runTool('apt-get', [...apt, 'update', '-qq'], { directory: debs });
  await runTool('apt-get', [...apt, 'download', '-qq', ...PACKAGES], { directory: debs });
  const files = (await readdir(debs)).toSorted();
  for (const file of files) await runTool('dpkg-deb', ['-x', join(debs, file), root]);
  return await Promise.all(
    files.map(async (file) => {
      const field = (name: string) => runTool('dpkg-deb', ['-f', join(debs, file), name]);
      return { name: await field('Package'), version: await field('Version') };
    }),
  );
}

import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DebianPackage, debianLibraries } from './debian-libraries.ts';
import { ARCHITECTURES, type Architecture, USER } from './image-specs.ts';
import { runTool } from './run-tool.ts';

/** `lib` of Debian holds libc, `usr/lib` the C++ library; where the file name has a version, the loader wants it without. */
const LIBRARIES: Readonly<Record<string, string>> = {
  'libc.so.6': 'lib',
  'libdl.so.2': 'lib',
  'libm.so.6': 'lib',
  'libpthread.so.0': 'lib',
  'libgcc_s.so.1': 'lib',
  'libstdc++.so.6': 'usr/lib',
};

/** What a file system with Node is made of. */
export interface NodeRoot {
  readonly nodeVersion: string;
  readonly packages: readonly DebianPackage[];
}

/**
 * Makes the file system on which both images stand: Node, the libraries it is linked with, one user, and nothing else, no
 * shell above all.
 *
 * @param root - an empty folder.
 */
export async function nodeRoot(architecture: Architecture, root: string): Promise<NodeRoot> {
  const work = await mkdtemp(join(tmpdir(), 'executor-status-node-'));
  try {
    const packages = await debianLibraries(architecture, work);
    const { triplet, loader } = ARCHITECTURES[architecture];
    for (const [name, folder] of Object.entries(LIBRARIES)) {
      await place(join(work, 'root', folder, triplet, name), join(root, 'lib', triplet, name), 0o644);
    }
    const loaderName = loader.split('/').at(-1) ?? '';
    await place(join(work, 'root/lib', triplet, loaderName), join(root, 'lib', triplet, loaderName), 0o755);
    await mkdir(dirname(join(root, loader)), { recursive: true });
    await symlink(`/lib/${triplet}/${loaderName}`, join(root, loader));
    const nodeVersion = await placeNode(architecture, { root, work });
    await placeUser(root);
    return { nodeVersion, packages };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function place(from: string, to: string, mode: number): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
  await chmod(to, mode);
}

/** The Node of this project's own lock file, also for an architecture that is not this machine's. */
async function placeNode(
  architecture: Architecture,
  { root, work }: { readonly root: string; readonly work: string },
): Promise<string> {
  const version = process.versions.node;
  const name = `node-linux-${ARCHITECTURES[architecture].npm}`;
  const packed = await runTool('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', work]);
  const file = packed.split('\n').at(-1) ?? '';
  await runTool('tar', ['-xzf', join(work, file), '-C', work, 'package/bin/node', 'package/LICENSE']);
  await place(join(work, 'package/bin/node'), join(root, 'bin/node'), 0o755);
  await place(join(work, 'package/LICENSE'), join(root, 'usr/share/licenses/node'), 0o644);
  return version;
}

async function placeUser(root: string): Promise<void> {
  const { id, name, home } = USER;
  await mkdir(join(root, 'etc'), { recursive: true });
  await mkdir(join(root, home), { recursive: true });
  const none = '/nonexistent';
  await writeFile(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:${none}\n${name}:x:${id}:${id}:${name}:${home}:${none}\n`,
  );
  await writeFile(join(root, 'etc/group'), `root:x:0:\n${name}:x:${id}:\n`);
}

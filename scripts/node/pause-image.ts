import { chmod, mkdir } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { buildImage, saveImage } from '../images/buildah.ts';
import { runTool } from '../images/run-tool.ts';

/** Makes the image in which each pod begins, and returns the archive of it; needs Go and buildah. */
export async function pauseArchive(directory: string, name: string): Promise<string> {
  const root = join(directory, 'pause-root');
  await mkdir(root);
  const source = join(import.meta.dirname, 'pause.go');
  const env = { ...process.env, CGO_ENABLED: '0', GO111MODULE: 'off' };
  await runTool('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(root, 'pause'), source], {
    env,
  });
  await chmod(join(root, 'pause'), 0o755);
  const config = ['--user', '65535:65535', '--entrypoint', '["/pause"]'];
  const architecture = arch() === 'arm64' ? 'arm64' : 'amd64';
  await buildImage({ from: 'scratch', name, root, architecture, config, epoch: 0 });
  const archive = join(directory, 'pause.tar');
  await saveImage(name, archive);
  return archive;
}

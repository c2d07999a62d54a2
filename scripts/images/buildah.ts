import { rm } from 'node:fs/promises';
import { runTool } from './run-tool.ts';

/** An image to make. */
export interface BuildRequest {
  /** `scratch`, or the name of an image that was made here. */
  readonly from: string;
  /** Its whole name, with a tag. */
  readonly name: string;
  /** What is laid over it, as it stands there. */
  readonly root: string;
  readonly architecture: string;
  /** As in `['--user', '65532']`: arguments of `buildah config`. */
  readonly config: readonly string[];
  /** All times in the image, in seconds since 1970: the same input then gives the same image. */
  readonly epoch: number;
}

/** Makes an image without a registry, and without running anything in it. Its store belongs to buildah. */
export async function buildImage(request: BuildRequest): Promise<void> {
  const { from, name, root, architecture, config, epoch } = request;
  const container = await buildah('from', '--pull-never', '--arch', architecture, from);
  try {
    await buildah('copy', '--quiet', '--chown', '0:0', container, root, '/');
    await buildah(
      'config',
      '--arch',
      architecture,
      '--os',
      'linux',
      '--created-by',
      'build-images',
      ...config,
      container,
    );
    await buildah('commit', '--quiet', '--format', 'oci', '--timestamp', String(epoch), container, name);
  } finally {
    await buildah('rm', container);
  }
}

/** Writes an image into a file that docker, podman and containerd can load. */
export async function saveImage(name: string, file: string): Promise<void> {
  // An archive that is there already is not written over.
  await rm(file, { force: true });
  await buildah('push', '--quiet', name, `docker-archive:${file}:${name}`);
}

/** The digest of an image's configuration: it changes with every byte of the image. */
export async function imageId(name: string): Promise<string> {
  return await buildah('inspect', '--type', 'image', '--format', '{{.FromImageID}}', name);
}

function buildah(...args: readonly string[]): Promise<string> {
  // Neither an overlay file system nor a user namespace is needed, so that it also works in a container.
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
  return runTool('buildah', args, { env });
}

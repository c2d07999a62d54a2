import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildImage, saveImage } from '../../scripts/images/buildah.ts';
import { DEFAULT_REGISTRY } from '../../scripts/images/image-specs.ts';
import { resolveAssets } from '../../scripts/kube/resolve-assets.ts';
import {
  API_ADDRESS,
  addApiAddress,
  type RunningNode,
  SERVICE_RANGE,
  startNode,
} from '../../scripts/node/start-node.ts';
import { startComponent } from '../support/control-plane/component-process.ts';
import { type ControlPlane, startControlPlane } from '../support/control-plane.ts';

/** A whole cluster on this machine: a control plane with all its controllers, a scheduler, and one node. */
export interface Stand extends AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly node: RunningNode;
}

/** The image of Ratify's stand-in. */
export const RATIFY_IMAGE = `${DEFAULT_REGISTRY}/ratify-stand-in:test`;

/** @param images - the folder in which `scripts/build-images.ts` has put the archives. */
export async function startStand(images: string, log: (line: string) => void): Promise<Stand> {
  const stack = new AsyncDisposableStack();
  try {
    stack.defer(await addApiAddress(log));
    const assets = await resolveAssets({ env: process.env, log });
    const reach = { address: API_ADDRESS, serviceRange: SERVICE_RANGE };
    const controlPlane = stack.use(await startControlPlane({ reach, controllers: ['*'], log }));
    const { directory, kubeconfig } = controlPlane;
    const scheduler = await startComponent({
      name: 'kube-scheduler',
      command: assets.path('kube-scheduler'),
      args: [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'],
      directory,
      logFile: join(directory, 'kube-scheduler.log'),
    });
    stack.defer(async () => void (await scheduler.stop()));
    const archives = (await readdir(images)).filter((file) => file.endsWith(`-${architecture}.tar`));
    const node = await startNode({
      kubeletProgram: assets.path('kubelet'),
      kubeconfig,
      archives: [...archives.map((file) => join(images, file)), await standInArchive(directory)],
      log,
    });
    stack.use(node);
    const whole = stack.move();
    return { controlPlane, node, [Symbol.asyncDispose]: () => whole.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

const architecture = arch() === 'arm64' ? 'arm64' : 'amd64';

/** The stand-in for Ratify, on the same Node as the apps. */
async function standInArchive(directory: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'ratify-stand-in-'));
  await mkdir(join(root, 'app'));
  const source = fileURLToPath(new URL('ratify-stand-in.js', import.meta.url));
  await copyFile(source, join(root, 'app/ratify.mjs'));
  const from = `${DEFAULT_REGISTRY}/node:${process.versions.node}-${architecture}`;
  const entrypoint = JSON.stringify(['/bin/node', '--max-old-space-size=32', '/app/ratify.mjs']);
  const config = ['--user', '65532:65532', '--entrypoint', entrypoint];
  await buildImage({ from, name: RATIFY_IMAGE, root, architecture, config, epoch: 0 });
  await rm(root, { recursive: true });
  const archive = join(directory, 'ratify-stand-in.tar');
  await saveImage(RATIFY_IMAGE, archive);
  return archive;
}

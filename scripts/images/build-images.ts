import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_ENVIRONMENT } from '../node-flags.ts';
import { buildImage, imageId, saveImage } from './buildah.ts';
import { type BundleFacts, bundledPackages } from './bundled-packages.ts';
import { type Architecture, IMAGES, type ImageSpec, USER } from './image-specs.ts';
import { measureImage } from './measure-image.ts';
import { type NodeRoot, nodeRoot } from './node-root.ts';
import { sbom, systemComponents } from './sbom.ts';

/** What is built, and where it is put. */
export interface BuildOrder {
  /** The project's folder; its apps are bundled already. */
  readonly root: string;
  readonly architectures: readonly Architecture[];
  /** What comes before the app's name. */
  readonly registry: string;
  readonly version: string;
  /** The commit. */
  readonly revision: string;
  /** The time of the commit, in seconds since 1970. */
  readonly epoch: number;
  /** A folder for archives and SBOMs. */
  readonly output: string;
  readonly log: (line: string) => void;
}

/** One image that was built. */
export interface BuiltImage {
  readonly app: string;
  readonly architecture: Architecture;
  readonly name: string;
  readonly archive: string;
  readonly id: string;
  readonly unpackedBytes: number;
  readonly packedBytes: number;
}

/** Builds every image for every architecture, with an SPDX SBOM beside each. Needs buildah, apt and npm, no registry of images. */
export async function buildImages(order: BuildOrder): Promise<readonly BuiltImage[]> {
  await mkdir(order.output, { recursive: true });
  const built: BuiltImage[] = [];
  for (const architecture of order.architectures) {
    const work = await mkdtemp(join(tmpdir(), 'executor-status-image-'));
    try {
      const base = join(work, 'base');
      await mkdir(base);
      const node = await nodeRoot(architecture, base);
      const from = `${order.registry}/node:${node.nodeVersion}-${architecture}`;
      await buildImage({
        from: 'scratch',
        name: from,
        root: base,
        architecture,
        config: [],
        epoch: order.epoch,
      });
      for (const spec of IMAGES) {
        const root = join(work, spec.app);
        await appRoot(order, spec, root);
        built.push(await buildApp(order, { spec, root, architecture, from, node }));
      }
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  return built;
}

/** The bundle without its source maps. */
async function appRoot(order: BuildOrder, { app }: ImageSpec, root: string): Promise<void> {
  const dist = join(order.root, 'apps', app, 'dist');
  await mkdir(join(root, 'app'), { recursive: true });
  const files = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  for (const name of files) await copyFile(join(dist, name), join(root, 'app', name));
  await writeFile(join(root, 'app/package.json'), '{"type":"module"}\n');
  await mkdir(join(root, 'usr/share/licenses'), { recursive: true });
  await copyFile(join(order.root, 'LICENSE'), join(root, 'usr/share/licenses/executor-status'));
}

interface AppBuild {
  readonly spec: ImageSpec;
  readonly root: string;
  readonly architecture: Architecture;
  readonly from: string;
  readonly node: NodeRoot;
}

async function buildApp(order: BuildOrder, build: AppBuild): Promise<BuiltImage> {
  const { spec, root, architecture, from, node } = build;
  const { registry, version, output, epoch, log } = order;
  const name = `${registry}/${spec.app}:${version}`;
  await buildImage({ from, name, root, architecture, config: imageConfig(order, spec), epoch });
  const stem = join(output, `${spec.app}-${architecture}`);
  await saveImage(name, `${stem}.tar`);
  const dist = join(order.root, 'apps', spec.app, 'dist');
  const facts = JSON.parse(await readFile(join(dist, 'bundle.json'), 'utf8')) as BundleFacts;
  const components = [
    ...systemComponents(node.nodeVersion, node.packages),
    ...(await bundledPackages(order.root, facts)),
  ];
  const created = `${new Date(epoch * 1000).toISOString().slice(0, 19)}Z`;
  const document = sbom({ name: spec.app, version, created, components });
  await writeFile(`${stem}.spdx.json`, `${JSON.stringify(document, undefined, 2)}\n`);
  const image = {
    app: spec.app,
    architecture,
    name,
    archive: `${stem}.tar`,
    id: await imageId(name),
    ...(await measureImage(`${stem}.tar`)),
  };
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
  log(
    `${name} ${architecture}: ${megabytes(image.unpackedBytes)} unpacked, ${megabytes(image.packedBytes)} packed`,
  );
  return image;
}

function imageConfig({ version, revision }: BuildOrder, { app, flags, title }: ImageSpec): readonly string[] {
  const labels = {
    title: app,
    description: title,
    version,
    revision,
    licenses: 'Apache-2.0',
  };
  return [
    '--user',
    `${USER.id}:${USER.id}`,
    '--workingdir',
    '/app',
    ...Object.entries({ HOME: USER.home, ...NODE_ENVIRONMENT }).flatMap(([name, value]) => [
      '--env',
      `${name}=${value}`,
    ]),
    '--entrypoint',
    JSON.stringify(['/bin/node', ...flags, '/app/main.js']),
    ...Object.entries(labels).flatMap(([key, value]) => [
      '--label',
      `org.opencontainers.image.${key}=${value}`,
    ]),
  ];
}

// npm run build && node --conditions=source scripts/build-images.ts [--arch amd64,arm64] [--registry NAME] [--output DIRECTORY]
// [--check]: both images without Docker and without a registry, each with its SBOM, and the sizes against their budgets. With
// --check everything is built again in another folder, and must come out the same.
import { readFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuildOrder, buildImages } from './images/build-images.ts';
import { changedImages } from './images/changed-images.ts';
import { ARCHITECTURES, type Architecture, DEFAULT_REGISTRY } from './images/image-specs.ts';
import { requireTools } from './images/require-tools.ts';
import { runTool } from './images/run-tool.ts';

/** Acceptance SE-6. */
const BUDGET = { unpackedBytes: 150_000_000, packedBytes: 60_000_000 };

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: arch() === 'arm64' ? 'arm64' : 'amd64' },
    registry: { type: 'string', default: DEFAULT_REGISTRY },
    output: { type: 'string', default: join(root, 'dist/images') },
    check: { type: 'boolean', default: false },
  },
});
const log = (line: string) => process.stdout.write(`${line}\n`);
await requireTools({ buildah: 'buildah', 'dpkg-deb': 'dpkg', npm: 'npm', tar: 'tar' }, log);
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const git = (...args: readonly string[]) => runTool('git', args, { directory: root });
const order: BuildOrder = {
  root,
  architectures: values.arch.split(',').map(architecture),
  registry: values.registry,
  version,
  revision: await git('rev-parse', 'HEAD'),
  epoch: Number(process.env['SOURCE_DATE_EPOCH'] ?? (await git('log', '-1', '--format=%ct'))),
  output: values.output,
  log,
};
const images = await buildImages(order);
const large = images.filter(
  ({ unpackedBytes, packedBytes }) =>
    unpackedBytes > BUDGET.unpackedBytes || packedBytes > BUDGET.packedBytes,
);
for (const { name, architecture: of } of large) log(`${name} ${of} is over its budget`);
const changed = values.check ? await changedImages(order, images) : [];
for (const file of changed) {
  log(
    `${file} came out different when it was built again; is the bundle older than the sources (npm run build)?`,
  );
}
if (values.check && changed.length === 0) log('built again elsewhere, everything came out the same');
process.exitCode = large.length + changed.length === 0 ? 0 : 1;

function architecture(name: string): Architecture {
  if (Object.hasOwn(ARCHITECTURES, name)) return name as Architecture;
  throw new Error(`--arch knows ${Object.keys(ARCHITECTURES).join(' and ')}, not ${name}`);
}

// npm run build: each app as one bundle with lazy chunks, as it goes into an image, and each library as one module.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// Some bundled packages are CommonJS and call require().
const REQUIRE =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

const common: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions: ['source'],
  sourcemap: true,
  logLevel: 'warning',
};

for (const name of packages('libs')) {
  const outdir = emptyDist('libs', name);
  await build({ ...common, entryPoints: [entry('libs', name, 'index.ts')], outdir, packages: 'external' });
}
for (const name of packages('apps')) {
  const outdir = emptyDist('apps', name);
  const { metafile } = await build({
    ...common,
    entryPoints: [entry('apps', name, 'main.ts')],
    absWorkingDir: ROOT,
    outdir,
    splitting: true,
    minify: true,
    // Beside the bundle, for whoever reads a stack; the images leave them out.
    sourcemap: 'external',
    metafile: true,
    banner: { js: REQUIRE },
  });
  // Of what it is made, for the SBOM.
  writeFileSync(join(outdir, 'bundle.json'), JSON.stringify(metafile));
}

function packages(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder)).toSorted();
}

function entry(folder: string, name: string, file: string): string {
  return join(ROOT, folder, name, 'src', file);
}

function emptyDist(folder: string, name: string): string {
  const dist = join(ROOT, folder, name, 'dist');
  rmSync(dist, { recursive: true, force: true });
  return dist;
}

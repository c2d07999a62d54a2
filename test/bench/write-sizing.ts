import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LastRun } from './last-run.ts';
import { sizingCharts } from './sizing-charts.ts';
import { sizingPage } from './sizing-page.ts';

export const DOCS: string = fileURLToPath(new URL('../../docs', import.meta.url));

/** Writes what `docs` says of sizes: the figures of the run, the page made of them, and its pictures. */
export async function writeSizing(run: LastRun, docs: string = DOCS): Promise<void> {
  await mkdir(join(docs, 'sizing'), { recursive: true });
  await writeFile(join(docs, 'sizing/last-run.json'), `${JSON.stringify(run, undefined, 2)}\n`);
  for (const { path, text } of sizingFiles(run)) await writeFile(join(docs, path), text);
}

/** Everything that is made of the figures of a run. */
export function sizingFiles(run: LastRun): readonly { readonly path: string; readonly text: string }[] {
  const charts = sizingCharts(run).map(({ name, svg }) => ({ path: `sizing/${name}.svg`, text: svg }));
  return [{ path: 'sizing.md', text: sizingPage(run) }, ...charts];
}

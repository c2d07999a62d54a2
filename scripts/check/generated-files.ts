import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartTemplates } from '../chart/chart-templates.ts';
import { executorCrds, type GeneratedFile } from '../crds/executor-crds.ts';
import { ROOT } from './run-command.ts';
import { settingsPage } from './settings-page.ts';
import { verdictsPage } from './verdicts-page.ts';

/** Makes files of the project from others. What it makes is never edited by hand. */
export type Generator = (root: string) => Promise<readonly GeneratedFile[]>;

const GENERATORS: readonly Generator[] = [executorCrds, settingsPage, chartTemplates, verdictsPage];

/** Verify: the generated files that are not what they would be if made now. */
export async function staleFiles(
  root: string = ROOT,
  generators: readonly Generator[] = GENERATORS,
): Promise<string[]> {
  const stale = await filesToWrite(root, generators);
  return stale.map(({ path }) => `${path} is not what its sources give: run "npm run fix"`);
}

/** Update: writes the generated files that are stale, and says which. */
export async function updateFiles(
  root: string = ROOT,
  generators: readonly Generator[] = GENERATORS,
): Promise<string[]> {
  const stale = await filesToWrite(root, generators);
  for (const { path, text } of stale) await writeFile(join(root, path), text);
  return stale.map(({ path }) => path);
}

async function filesToWrite(
  root: string,
  generators: readonly Generator[],
): Promise<readonly GeneratedFile[]> {
  const made = (await Promise.all(generators.map((generate) => generate(root)))).flat();
  const found = await Promise.all(
    made.map(({ path }) => readFile(join(root, path), 'utf8').catch(() => undefined)), // Missing is stale too.
  );
  return made.filter(({ text }, at) => found[at] !== text);
}

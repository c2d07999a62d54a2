import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executorCrds, type GeneratedFile } from './crds/executor-crds.ts';

const USAGE = `usage: node --conditions=source scripts/crds.ts update | verify
  update  writes crds/executors.yaml and crds/namespacedexecutors.yaml
  verify  ends with 1 when one of them is not what update would write`;

const root = join(import.meta.dirname, '..');

switch (process.argv[2]) {
  case 'update':
    await update(await executorCrds(root));
    break;
  case 'verify':
    process.exitCode = (await verify(await executorCrds(root))) ? 0 : 1;
    break;
  default:
    console.error(USAGE);
    process.exitCode = 2;
}

async function update(files: readonly GeneratedFile[]): Promise<void> {
  for (const { path, text } of files) await writeFile(join(root, path), text);
}

async function verify(files: readonly GeneratedFile[]): Promise<boolean> {
  const stale: string[] = [];
  for (const { path, text } of files) {
    const found = await readFile(join(root, path), 'utf8').catch(() => undefined); // Missing is stale too.
    if (found !== text) stale.push(path);
  }
  for (const path of stale) {
    console.error(
      `${path} is not what its sources give: run node --conditions=source scripts/crds.ts update`,
    );
  }
  return stale.length === 0;
}

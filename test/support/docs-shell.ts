import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolveAssets } from '../../scripts/kube/assets.ts';
import type { ControlPlane, KubectlResult } from './control-plane.ts';

/** A command of the documentation that takes longer hangs, in milliseconds. */
const LIMIT_MS = 240_000;

/**
 * The blocks of code below a heading of a page, as they are written.
 *
 * @param page - relative to the project's folder.
 * @param language - of shell by default.
 * @throws {Error} if there is no such heading.
 */
export async function codeBlocks(
  page: string,
  heading: string,
  language: 'sh' | 'yaml' = 'sh',
): Promise<readonly string[]> {
  const text = await readFile(join(import.meta.dirname, '../..', page), 'utf8');
  const [, section] = text.split(new RegExp(`^#{1,6} ${heading}$`, 'm'));
  if (section === undefined) throw new Error(`${page} has no heading ${heading}`);
  // One `#` alone is a comment in a block.
  const [own = ''] = section.split(/^#{2,6} /m);
  const blocks = own.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}

/** Makes a function that runs a script in a folder, with kubectl for the administrator of `controlPlane`; it never rejects. */
export async function shellFor(
  { kubeconfig, version }: ControlPlane,
  folder: string,
): Promise<(script: string) => Promise<KubectlResult>> {
  const assets = await resolveAssets({ env: process.env, log: () => undefined, version });
  const env = {
    PATH: `${dirname(assets.path('kubectl'))}:${process.env['PATH']}`,
    HOME: folder,
    KUBECONFIG: kubeconfig,
  };
  return (script) =>
    new Promise((resolve) => {
      execFile('sh', ['-ec', script], { env, cwd: folder, timeout: LIMIT_MS }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ stdout, stderr, code });
      });
    });
}

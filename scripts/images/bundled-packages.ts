import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Component } from './sbom.ts';

/** What esbuild says of a bundle; only the names of the files that went into it are looked at. */
export interface BundleFacts {
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The npm packages of which a bundle has code, by the files that went into it. */
export async function bundledPackages(root: string, { inputs }: BundleFacts): Promise<readonly Component[]> {
  const folders = Object.keys(inputs).map(packageFolder);
  const distinct = [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
  return await Promise.all(distinct.map((folder) => component(join(root, folder))));
}

/** `node_modules/a` of `node_modules/a/lib/b.js`; the innermost where packages have packages of their own. */
export function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

async function component(folder: string): Promise<Component> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: unknown;
  };
  return {
    name,
    version,
    ...(typeof license === 'string' && { license }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  };
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { AssetRequest, Assets } from './assets.ts';
import { buildFromModules, GO_SOURCE } from './build-from-modules.ts';
import { cacheDirectory, type Environment } from './cache-directory.ts';
import { type Component, ETCD_VERSION, kubernetesVersion, REQUIRED_COMPONENTS } from './components.ts';
import { downloadOfficial } from './download-official.ts';
import { fillOnce } from './fill-once.ts';
import { type AssetFacts, type AssetStep, planAssets } from './plan-assets.ts';

const run = promisify(execFile);

/**
 * Finds, downloads or builds the programs of a control plane; see {@link planAssets} for the order. Calls
 * at the same time, also from several processes, do the work once.
 *
 * @throws {Error} if every way failed; the message names each with its reason and what to install.
 */
export async function resolveAssets(request: AssetRequest): Promise<Assets> {
  const { env, log } = request;
  const asked = request.version ?? env['KUBERNETES_VERSION'];
  const version = kubernetesVersion(asked);
  const facts = await factsOf(version, env);
  const { steps, remarks } = planAssets(facts);
  for (const remark of remarks) log(remark);
  const failures = [...remarks];
  for (const step of steps) {
    try {
      const assets = await take(step, { version, directory: facts.cache.directory, env, log });
      log(`Kubernetes ${assets.version} from ${assets.source}: ${assets.directory}`);
      if (asked && assets.version !== version) log(`KUBEBUILDER_ASSETS goes before the wish for ${version}`);
      return assets;
    } catch (error) {
      const failure = `${step.kind}: ${error instanceof Error ? error.message : String(error)}`;
      log(failure);
      failures.push(failure);
    }
  }
  throw new Error(`no way to get the programs of Kubernetes ${version}:\n${failures.join('\n')}`);
}

async function factsOf(version: string, env: Environment): Promise<AssetFacts> {
  const named = env['KUBEBUILDER_ASSETS'];
  const directory = cacheDirectory(env, 'kube', `${version}-${await sourceHash()}`);
  return {
    ...(named ? { named: { directory: resolve(named), missing: await missingIn(resolve(named)) } } : {}),
    cache: { directory, missing: await missingIn(directory) },
    platform: process.platform,
    arch: process.arch,
    goVersion: await run('go', ['env', 'GOVERSION'], { env }).then(
      ({ stdout }) => stdout.trim(),
      () => undefined, // There is no Go.
    ),
  };
}

/** Changes with everything of ours that decides what a build gives. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} etcd ${ETCD_VERSION}\n`);
  for (const file of [GO_SOURCE, new URL('go-module.ts', import.meta.url)]) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}

async function missingIn(directory: string): Promise<Component[]> {
  const present = await Promise.all(
    REQUIRED_COMPONENTS.map((component) =>
      access(join(directory, component), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return REQUIRED_COMPONENTS.filter((_, index) => present[index] !== true);
}

interface Surroundings {
  readonly version: string;
  /** Where our cache keeps that version. */
  readonly directory: string;
  readonly env: Environment;
  readonly log: (line: string) => void;
}

async function take(step: AssetStep, { version, directory, env, log }: Surroundings): Promise<Assets> {
  const isComplete = async () => (await missingIn(directory)).length === 0;
  const publish = (fill: (into: string) => Promise<void>) => fillOnce({ directory, isComplete, fill, log });
  switch (step.kind) {
    case 'use': {
      const found = step.source === 'cache' ? version : await versionIn(step.directory);
      return assetsIn(step.directory, found, step.source);
    }
    case 'download':
      await publish((into) => downloadOfficial({ version, arch: step.arch, into, env, log }));
      return assetsIn(directory, version, 'download');
    case 'go-build':
      await publish((into) => buildFromModules({ version, into, env, log }));
      return assetsIn(directory, version, 'go-build');
  }
}

async function versionIn(directory: string): Promise<string> {
  const { stdout } = await run(join(directory, 'kube-apiserver'), ['--version']);
  return /v(\d+\.\d+\.\S+)/.exec(stdout)?.[1] ?? stdout.trim();
}

function assetsIn(directory: string, version: string, source: Assets['source']): Assets {
  return { version, source, directory, path: (component) => join(directory, component) };
}

import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from './cache-directory.ts';
import { COMPONENTS, ETCD_VERSION } from './components.ts';
import { goModFile, versionFlags } from './go-module.ts';
import { runWithProgress } from './run-with-progress.ts';

/** The Go program that is all components in one. */
export const GO_SOURCE = fileURLToPath(new URL('main.go', import.meta.url));

/** What a build from Go modules needs. */
export interface ModuleBuild {
  readonly version: string;
  /** An existing directory that receives one file per component. */
  readonly into: string;
  readonly env: Environment;
  readonly log: (line: string) => void;
}

/**
 * Builds every component from the published Go modules: one static binary with a name per component.
 * Takes about six minutes on two cores the first time, and some 1.5 GB in Go's own caches.
 *
 * @throws {Error} whose message names the step that failed, with the last lines of Go's output.
 */
export async function buildFromModules({ version, into, env, log }: ModuleBuild): Promise<void> {
  const source = join(into, 'source');
  await mkdir(source);
  const goEnv = { ...env, CGO_ENABLED: '0', GO111MODULE: 'on', GOWORK: 'off' };
  const run = (step: string, ...args: readonly string[]) =>
    runWithProgress({ step, command: 'go', args, directory: source, env: goEnv, log });

  // Before our go.mod exists: inside a module whose requirements do not resolve yet, Go refuses.
  const downloaded = await run(
    'go mod download',
    'mod',
    'download',
    '-json',
    `k8s.io/kubernetes@v${version}`,
  );
  const { GoMod: goMod } = JSON.parse(downloaded) as { GoMod: string };
  const kubernetesGoMod = await readFile(goMod, 'utf8');
  await writeFile(join(source, 'go.mod'), goModFile({ version, etcdVersion: ETCD_VERSION, kubernetesGoMod }));
  await copyFile(GO_SOURCE, join(source, 'main.go'));

  log(`go build: Kubernetes ${version}; some six minutes on two cores, seconds if Go has built it before`);
  const binary = join(into, 'kube');
  const flags = ['-mod=mod', '-v', '-trimpath', '-ldflags', versionFlags(version)];
  await run('go build', 'build', ...flags, '-o', binary, '.');
  await Promise.all(COMPONENTS.map((component) => symlink('kube', join(into, component))));
  await rm(source, { recursive: true });
}

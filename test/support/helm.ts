import { execFile } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../../scripts/kube/cache-directory.ts';
import { fillOnce } from '../../scripts/kube/fill-once.ts';
import { runWithProgress } from '../../scripts/kube/run-with-progress.ts';

/** How a call of Helm ended. */
export interface HelmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const VERSION = 'v3.19.0';

/** How long the first use on a machine may take, in milliseconds: Helm is built then, minutes of work for two cores. */
export const HELM_BUILD_MS = 30 * 60_000;

/**
 * Builds Helm from its Go module, unless this machine has that version from before.
 *
 * @returns a function that runs it; it never rejects.
 */
export async function helm(
  log: (line: string) => void,
): Promise<(args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<HelmResult>> {
  const directory = await helmDirectory(log);
  return (args, env = {}) =>
    new Promise((resolve) => {
      const settings = { HOME: directory, PATH: process.env['PATH'], ...env };
      const options = { env: settings, timeout: 120_000, maxBuffer: 64 * 1_048_576 };
      execFile(join(directory, 'helm'), [...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, stdout, stderr });
      });
    });
}

/** The folder that has the program `helm`, for the PATH of a shell; built as {@link helm} does. */
export async function helmDirectory(log: (line: string) => void): Promise<string> {
  const directory = cacheDirectory(process.env, 'go', `helm-${VERSION}`);
  const isComplete = () =>
    access(join(directory, 'helm')).then(
      () => true,
      () => false,
    );
  if (!(await isComplete())) await fillOnce({ directory, isComplete, fill: (into) => build(into, log), log });
  return directory;
}

async function build(into: string, log: (line: string) => void): Promise<void> {
  await runWithProgress({
    step: `go install helm ${VERSION}`,
    command: 'go',
    args: ['install', '-v', '-trimpath', '-ldflags', '-s -w', `helm.sh/helm/v3/cmd/helm@${VERSION}`],
    directory: into,
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOBIN: into },
    log,
  });
  // Nothing but the program belongs here.
  await rm(join(into, 'pkg'), { recursive: true, force: true });
}

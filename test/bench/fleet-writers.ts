import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppProcess, startApp } from '../support/app-process.ts';
import type { Program } from './bench-bundles.ts';
import type { BenchCluster } from './bench-cluster.ts';
import type { PipelineStart } from './fleet-pipelines.ts';
import type { LoadPod } from './load-job.ts';

const PIPELINES = fileURLToPath(new URL('fleet-pipelines.ts', import.meta.url));

/** The folder that executors of the fleet load; only the pods with a process of their own have it, with a file that is no certificate. */
export const BAD_FOLDER = '/bad-certs';

/** How many writers, and how many of them as processes of their own. */
export interface FleetSize {
  readonly writers: number;
  readonly processes: number;
}

/** Writers that run. */
export class FleetWriters implements AsyncDisposable {
  readonly #apps: readonly AppProcess[];

  private constructor(apps: readonly AppProcess[]) {
    this.#apps = apps;
  }

  /** Starts all writers at once, each with the bound token of its pod. */
  static async start(
    cluster: BenchCluster,
    pods: readonly LoadPod[],
    { program, processes }: { readonly program: Program; readonly processes: number },
  ): Promise<FleetWriters> {
    const { controlPlane } = cluster;
    const root = (name: string) => join(controlPlane.directory, name);
    await mkdir(root('good'));
    await mkdir(join(root('bad'), BAD_FOLDER), { recursive: true });
    await writeFile(join(root('bad'), BAD_FOLDER, 'README'), 'certificates go here\n');
    const starts = await Promise.all(
      pods.map(async (pod, index): Promise<PipelineStart> => {
        const credentials = await controlPlane.inClusterDirectory(pod.token ?? '');
        const files = root(index < processes ? 'bad' : 'good');
        const args = [`--credentials-dir=${credentials}`, `--files-root=${files}`, '--probe-port=0'];
        return { env: controlPlane.podEnv(pod), args };
      }),
    );
    const file = root('pipelines.json');
    await writeFile(file, JSON.stringify(starts.slice(processes)));
    const own = starts
      .slice(0, processes)
      .map(({ env, args }) => startApp({ ...program, args, env: { ...env, ...program.env } }));
    const apps = await Promise.all([...own, startApp({ entry: PIPELINES, args: [file] })]);
    return new FleetWriters(apps);
  }

  /** Rejects with its last lines when one of the processes ends. */
  async ended(): Promise<never> {
    const first = await Promise.race(this.#apps.map(async (app) => app.exited.then(() => app)));
    throw new Error(`a process with writers has ended: ${first.output().slice(-5).join('\n')}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.stop()));
  }
}

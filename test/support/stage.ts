import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppProcess, startApp } from './app-process.ts';
import { type ControlPlane, type Pod, startControlPlane } from './control-plane.ts';
import { PROJECT_CRDS } from './project-crds.ts';

/** Where Ratify runs, and so everything of ours. */
export const NAMESPACE = 'gatekeeper-system';
export const WRITER_ACCOUNT = 'ratify-gatekeeper-provider-admin';
export const AGGREGATOR_ACCOUNT = 'status-aggregator';

const AUTHORITY = fileURLToPath(new URL('../../examples/certs/example-root.pem', import.meta.url));
const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/** One simulated pod and the process that runs in it. */
export interface Actor {
  readonly pod: Pod;
  readonly app: AppProcess;
}

/** A cluster with Ratify pods that report and two aggregators. */
export interface Stage extends AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly writers: readonly Actor[];
  readonly aggregators: readonly Actor[];
}

export interface StageOptions {
  readonly pods: number;
  /** The files of the example: pods 2 and 4 find one that is no certificate. */
  readonly exampleFiles: boolean;
  readonly log: (line: string) => void;
}

/** Starts the control plane, installs what an admin would install, and starts the apps. */
export async function setStage({ pods, exampleFiles, log }: StageOptions): Promise<Stage> {
  const controlPlane = await startControlPlane({ manifests: PROJECT_CRDS, log });
  try {
    await controlPlane.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }]);
    const { code, stderr } = await controlPlane.kubectl('apply', '-k', path('manifests'));
    if (code !== 0) throw new Error(`cannot apply the manifests: ${stderr}`);
    const numbers = Array.from({ length: pods }, (_, index) => index + 1);
    const writers = await Promise.all(
      numbers.map((number) => startWriter(controlPlane, { number, exampleFiles })),
    );
    const aggregators = await Promise.all(['a', 'b'].map((name) => startAggregator(controlPlane, name)));
    const stop = () => stopAll(controlPlane, [...writers, ...aggregators]);
    return { controlPlane, writers, aggregators, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}

async function startWriter(
  controlPlane: ControlPlane,
  { number, exampleFiles }: { readonly number: number; readonly exampleFiles: boolean },
): Promise<Actor> {
  const pod = await controlPlane.makePod({
    namespace: NAMESPACE,
    name: `ratify-${number}`,
    labels: { 'app.kubernetes.io/name': 'ratify-gatekeeper-provider' },
    serviceAccount: WRITER_ACCOUNT,
    nodeName: `node-${number}`,
  });
  const files = exampleFiles ? await podFiles(join(controlPlane.directory, pod.name), number) : '/';
  const args = ['--files-root', files, '--start-jitter', '0s'];
  return { pod, app: await startIn(controlPlane, pod, { entry: 'apps/executor-writer/src/main.ts', args }) };
}

/** The file system of one pod: a certificate in each, and in pods 2 and 4 a file beside it that is none. */
async function podFiles(root: string, number: number): Promise<string> {
  const folder = join(root, 'usr/local/notation/certs');
  await mkdir(folder, { recursive: true });
  await copyFile(AUTHORITY, join(folder, 'example-root.pem'));
  if (number === 2 || number === 4) await writeFile(join(folder, 'README'), 'certificates go here\n');
  return root;
}

async function startAggregator(controlPlane: ControlPlane, name: string): Promise<Actor> {
  const pod = await controlPlane.makePod({
    namespace: NAMESPACE,
    name: `status-aggregator-${name}`,
    labels: { 'app.kubernetes.io/name': 'status-aggregator' },
    serviceAccount: AGGREGATOR_ACCOUNT,
    containers: [{ name: 'status-aggregator', image: 'registry.invalid/none:1' }],
    initContainers: [],
  });
  return {
    pod,
    app: await startIn(controlPlane, pod, { entry: 'apps/status-aggregator/src/main.ts', args: [] }),
  };
}

interface App {
  readonly entry: string;
  readonly args: readonly string[];
}

/** Starts an app as the container of a pod would run it: with the pod's bound token and environment. */
async function startIn(controlPlane: ControlPlane, pod: Pod, { entry, args }: App): Promise<AppProcess> {
  const credentials = await controlPlane.inClusterDirectory(await controlPlane.podToken(pod));
  return startApp({
    entry,
    args: ['--credentials-dir', credentials, '--probe-port', '0', ...args],
    env: controlPlane.podEnv(pod),
  });
}

async function stopAll(controlPlane: ControlPlane, actors: readonly Actor[]): Promise<void> {
  await Promise.all(actors.map(({ app }) => app.stop()));
  await controlPlane.stop();
}

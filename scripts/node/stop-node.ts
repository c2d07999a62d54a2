import { readdir, readFile, rm } from 'node:fs/promises';
import type { RunningProcess } from '../../test/support/start-process.ts';
import { runTool } from '../images/run-tool.ts';

/** What a node on this machine consists of. */
export interface NodeParts {
  readonly directory: string;
  readonly bridge: string;
  /** In the order of their start. */
  readonly processes: readonly RunningProcess[];
  readonly ctr: (...args: readonly string[]) => Promise<string>;
  /** Network namespaces that were there before. */
  readonly namespaces: readonly string[];
}

/** Ends a node with all its pods, and takes away what they leave: mounts, network namespaces, the bridge, the files. */
export async function stopNode({ directory, bridge, processes, ctr, namespaces }: NodeParts): Promise<void> {
  const [containerd, kubelet] = processes;
  await kubelet?.stop();
  if (containerd !== undefined) await removeContainers(ctr);
  await containerd?.stop();
  // Each container has a process that outlives containerd; it names our folder.
  for (const pid of await processesNaming(directory)) process.kill(pid, 'SIGKILL');
  for (const mount of await mountsBelow(directory)) await unlessGone(runTool('umount', ['--lazy', mount]));
  const left = (await networkNamespaces()).filter((name) => !namespaces.includes(name));
  for (const name of left) await unlessGone(runTool('ip', ['netns', 'delete', name]));
  await unlessGone(runTool('ip', ['link', 'delete', bridge]));
  await rm(directory, { recursive: true, force: true });
}

/** The names of the network namespaces of this machine. */
export async function networkNamespaces(): Promise<readonly string[]> {
  return await readdir('/run/netns').catch(() => []);
}

async function removeContainers(ctr: NodeParts['ctr']): Promise<void> {
  const tasks = (await ctr('tasks', 'ls', '-q').catch(() => '')).split('\n').filter((id) => id !== '');
  for (const id of tasks) await unlessGone(ctr('tasks', 'rm', '--force', id));
}

async function processesNaming(text: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const named = await Promise.all(
    pids.map(async (pid) => (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(text)),
  );
  return pids.filter((pid, at) => named[at] === true && pid !== process.pid);
}

/** The innermost first. */
async function mountsBelow(directory: string): Promise<readonly string[]> {
  const lines = (await readFile('/proc/self/mounts', 'utf8')).split('\n');
  const points = lines.map((line) => line.split(' ')[1] ?? '').filter((point) => point.startsWith(directory));
  return points.toSorted((a, b) => b.length - a.length);
}

/** What was to be removed may have gone with something else. */
async function unlessGone(removal: Promise<unknown>): Promise<void> {
  await removal.catch(() => undefined);
}

import { readdir, readFile } from 'node:fs/promises';
import type { ClusterPod } from './cluster-view.ts';

/**
 * The process of a pod's sidecar on this machine, found by its control group and its program.
 *
 * @throws {Error} if there is none.
 */
export async function sidecarProcess({ metadata }: Pick<ClusterPod, 'metadata'>): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const [group, command] = await Promise.all(
      ['cgroup', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    if (group?.includes(metadata.uid) === true && command?.includes('/app/main.js') === true)
      return Number(pid);
  }
  throw new Error(`no process of the sidecar of ${metadata.name} is found`);
}

import { executorResource, type KubeClient, KubeError, POD } from '@executor-status/kube';
import type { Suspect } from './plan-sweep.ts';
import { isOver, type KubePod } from './pod.ts';

/** What asking the server needs. */
export interface LiveReads {
  readonly client: Pick<KubeClient, 'get'>;
  readonly executorGroup: string;
  /** Ends calls that are open. */
  readonly signal: AbortSignal;
}

/**
 * Whether the API server agrees, right now, that nobody stands behind the report: its pod by name and uid, or its executor.
 *
 * @throws {KubeError} when it does not answer; then nothing is known.
 */
export async function isOrphan({ report, why }: Suspect, reads: LiveReads): Promise<boolean> {
  switch (why) {
    case 'pod-gone':
    case 'pod-over':
      return !(await isAlive(report, reads));
    case 'executor-gone':
      return !(await hasExecutor(report, reads));
  }
}

async function isAlive(
  { metadata: { namespace }, spec }: Suspect['report'],
  { client, signal }: LiveReads,
): Promise<boolean> {
  const ref = { name: spec.pod.name, ...(namespace !== undefined && { namespace }) };
  const pod = await client.get<KubePod>(POD, ref, { signal });
  return pod?.metadata.uid === spec.pod.uid && !isOver(pod);
}

async function hasExecutor(
  { spec: { executorRef } }: Suspect['report'],
  { client, executorGroup, signal }: LiveReads,
): Promise<boolean> {
  const { kind, name, namespace } = executorRef;
  const ref = { name, ...(namespace !== undefined && { namespace }) };
  try {
    const resource = executorResource(kind, executorGroup);
    return (await client.get(resource, ref, { signal, metadataOnly: true })) !== undefined;
  } catch (error) {
    // A kind that is not installed now may come back, and its executors with it.
    if (error instanceof KubeError && error.missing === 'kind') return true;
    throw error;
  }
}

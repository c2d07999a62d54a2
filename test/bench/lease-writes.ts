import { type AuditEntry, type AuditMark, podNameOf } from '../support/control-plane.ts';
import type { Aggregator, BenchCluster } from './bench-cluster.ts';
import { isAccepted } from './status-writes.ts';

export const LEASES_RESOURCE = 'leases';

/** When `aggregator` first wrote the Lease after `since`, which a follower does only when it wins it; milliseconds since 1970. */
export async function wonLeaseAt(
  cluster: BenchCluster,
  { pod }: Aggregator,
  since: AuditMark,
): Promise<number> {
  const writes = await cluster.aggregatorWrites({ resource: LEASES_RESOURCE, since });
  const won = writes.find((write) => isAccepted(write) && isFrom(write, pod.name));
  if (won === undefined) throw new Error(`${pod.name} has not won the Lease`);
  return won.at;
}

/** Whether a request came with the token that is bound to the pod. */
export function isFrom(entry: AuditEntry, pod: string): boolean {
  return podNameOf(entry) === pod;
}

import type { AuditEntry, ControlPlane } from '../../test/support/control-plane.ts';

const WRITES = ['create', 'update', 'patch', 'delete'];
const KINDS = ['executorpodstatuses', 'executors', 'namespacedexecutors', 'leases', 'events'];

/** Who wrote what how often, by the API server's own audit log: one line a kind of write, the most frequent first. */
export async function writeSummary({ audit }: Pick<ControlPlane, 'audit'>): Promise<string> {
  const entries = await audit.entries({ verb: WRITES, resource: KINDS });
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(lineOf(entry), (counts.get(lineOf(entry)) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const width = Math.max(...sorted.map(([line]) => line.length));
  return sorted.map(([line, count]) => `${line.padEnd(width)}  ${String(count).padStart(5)}\n`).join('');
}

function lineOf({ user, verb, resource, subresource, code }: AuditEntry): string {
  const who = user.replace(/^system:serviceaccount:[^:]*:/, '');
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  return `${who}  ${verb} ${what}${code >= 400 ? ` (HTTP ${code})` : ''}`;
}

import {
  dashUnpack,
  EXECUTOR_PLURALS,
  type ExecutorRef,
  REPORT_PLURAL,
  reportName,
} from '@executor-status/api';
import type { AuditEntry } from '../control-plane.ts';
import { podUidOf } from '../control-plane.ts';
import { claimsIn, isStored, reportWord } from './audit-words.ts';

// What must hold of every audit log, however much went wrong. Each check gives one line for each breach.

/** The users that the apps are, and the pods that report. */
export interface Cast {
  readonly writer: string;
  readonly aggregator: string;
  readonly pods: readonly { readonly name: string; readonly uid: string }[];
}

/** WP-1: each writer has written the reports of its own pod, and nothing else, and never met a conflict. */
export function foreignWrites(entries: readonly AuditEntry[], { writer, pods }: Cast): readonly string[] {
  const uids = new Map(pods.map(({ name, uid }) => [name, uid]));
  const writes = entries.filter((entry) => entry.user === writer && isWrite(entry));
  return writes
    .filter(({ resource }) => resource !== 'selfsubjectreviews')
    .flatMap((entry) => {
      const { resource, name, code } = entry;
      const own = resource === REPORT_PLURAL && uids.get(ownerOf(name)) === podUidOf(entry);
      return [
        ...(own ? [] : [`WP-1: ${lineOf(entry)}, which is not its own`]),
        ...(code === 409 ? [`WP-1: ${lineOf(entry)} met a conflict`] : []),
      ];
    });
}

/**
 * HA-1: each status was written by the pod that had written the Lease last. Who takes or renews it writes it, and nobody else
 * does.
 */
export function writesWithoutLease(entries: readonly AuditEntry[], { aggregator }: Cast): readonly string[] {
  const breaches: string[] = [];
  let [holder, before, sinceMs] = ['', '', 0];
  for (const entry of storedWrites(entries, aggregator)) {
    const pod = podUidOf(entry);
    if (entry.resource === 'leases' && pod !== holder) [holder, before, sinceMs] = [pod, holder, entry.at];
    // Two that came within one millisecond may have come in either order.
    const isTurn = pod === holder || (pod === before && entry.at === sinceMs);
    if (isAboutStatus(entry) && !isTurn)
      breaches.push(`HA-1: ${lineOf(entry)}, while the Lease was with pod ${holder}`);
  }
  return breaches;
}

/** What the audit log does not say itself. */
export interface Background {
  /** The uid that an executor had at a time. */
  readonly uidAt: (ref: ExecutorRef, atMs: number) => string | undefined;
  /**
   * Whether a write to a report was on its way when the API server was killed, before that time: it may have been stored without
   * a line in the log.
   */
  readonly mayBeUnlogged: (report: string, atMs: number) => boolean;
}

/**
 * AG-2: whoever said that an executor builds (`succeeded`, or a Ready that is True) said it of a generation that all `pods` had
 * reported successfully before. Holds where the pods stay the same and no grace runs out.
 */
export function earlyClaims(
  entries: readonly AuditEntry[],
  { aggregator, pods }: Cast,
  { uidAt, mayBeUnlogged }: Background,
): readonly string[] {
  const builtAt = firstBuilds(entries);
  return storedWrites(entries, aggregator).flatMap((write) => {
    const ref = refOf(write);
    const uid = uidAt(ref, write.at);
    return claimsIn(write).flatMap(({ what, generation }) => {
      const silent = pods.filter(
        (pod) =>
          (builtAt.get(`${pod.uid} ${uid} ${generation}`) ?? Number.POSITIVE_INFINITY) > write.at &&
          !mayBeUnlogged(reportName(pod.name, ref), write.at),
      );
      const names = silent.map(({ name }) => name).join(', ');
      const text = `AG-2: ${lineOf(write)} says ${what} of generation ${generation} before ${names} did`;
      return silent.length === 0 ? [] : [text];
    });
  });
}

/** How often statuses said that an executor builds: what {@link earlyClaims} has looked at. */
export function claimCount(entries: readonly AuditEntry[], { aggregator }: Cast): number {
  return storedWrites(entries, aggregator).flatMap(claimsIn).length;
}

/** The pods of the aggregators that have written statuses. */
export function statusWriters(entries: readonly AuditEntry[], { aggregator }: Cast): ReadonlySet<string> {
  return new Set(storedWrites(entries, aggregator).filter(isAboutStatus).map(podUidOf));
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const isWrite = ({ verb }: AuditEntry) => !READS.has(verb);
const isAboutStatus = ({ resource }: AuditEntry) =>
  Object.values<string>(EXECUTOR_PLURALS).includes(resource);

/** In the order in which they arrived: the log has them in that in which they were answered. */
function storedWrites(entries: readonly AuditEntry[], by: string): readonly AuditEntry[] {
  const stored = entries.filter((entry) => entry.user === by && isWrite(entry) && isStored(entry));
  return stored.toSorted((a, b) => a.at - b.at);
}

/** When each pod first reported that it has built a generation of an executor. */
function firstBuilds(entries: readonly AuditEntry[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { podUid, uid, generation, succeeded, at } of entries.flatMap(
    (entry) => reportWord(entry) ?? [],
  )) {
    const key = `${podUid} ${uid} ${generation}`;
    if (succeeded) first.set(key, Math.min(first.get(key) ?? at, at));
  }
  return first;
}

function refOf({ resource, namespace, name }: AuditEntry): ExecutorRef {
  return resource === EXECUTOR_PLURALS.Executor
    ? { kind: 'Executor', name }
    : { kind: 'NamespacedExecutor', namespace, name };
}

/** The pod whose report has this name. */
function ownerOf(report: string): string {
  try {
    return dashUnpack(report)[0] ?? '';
  } catch {
    return ''; // No name of a report.
  }
}

function lineOf(entry: AuditEntry): string {
  const { at, verb, resource, name, code } = entry;
  return `${new Date(at).toISOString()} ${verb} ${resource}/${name} (${code}) by pod ${podUidOf(entry)}`;
}

import { type ExecutorStatus, REPORT_PLURAL, type ReportStatus } from '@executor-status/api';
import type { AuditEntry } from '../control-plane.ts';
import { podUidOf } from '../control-plane.ts';

/** What a stored write to a report said. */
export interface ReportWord {
  readonly at: number;
  /** Of the pod that wrote it. */
  readonly podUid: string;
  /** Of the executor that it is about. */
  readonly uid: string;
  readonly generation: number;
  readonly succeeded: boolean;
}

/** Something that says that an executor builds, and the generation that it speaks of. */
export interface Claim {
  readonly what: 'succeeded' | 'Ready';
  readonly generation: number;
}

/** Whether the API server stored it. */
export const isStored = ({ code }: AuditEntry): boolean => code >= 200 && code < 300;

/** What a write to a report said; `undefined` for everything else. */
export function reportWord(entry: AuditEntry): ReportWord | undefined {
  const { resource, subresource, at } = entry;
  const status = statusIn<ReportStatus>(entry);
  if (resource !== REPORT_PLURAL || subresource !== 'status' || !isStored(entry) || status === undefined)
    return undefined;
  const { executorUID: uid, executorGeneration: generation, succeeded } = status;
  return { at, podUid: podUidOf(entry), uid, generation, succeeded };
}

/** What a status that was written claims. */
export function claimsIn(entry: AuditEntry): readonly Claim[] {
  const { succeeded, observedGeneration = 0, conditions = [] } = statusIn<ExecutorStatus>(entry) ?? {};
  const ready = conditions.filter(({ type, status }) => type === 'Ready' && status === 'True');
  return [
    ...(succeeded ? [{ what: 'succeeded', generation: observedGeneration } as const] : []),
    ...ready.map(({ observedGeneration: generation = 0 }) => ({ what: 'Ready', generation }) as const),
  ];
}

function statusIn<Status>({ body }: AuditEntry): Status | undefined {
  return (body as { readonly status?: Status } | null | undefined)?.status;
}

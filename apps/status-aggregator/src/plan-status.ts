import type { Executor, ExecutorPodStatus, ExecutorStatus } from '@executor-status/api';
import { type Composed, composeStatus } from './compose-status.ts';
import type { ExecutorMemory } from './executor-memory.ts';
import { holdsUnknown } from './field-holders.ts';
import { faultyPods, judgeUrgency, type Urgency } from './judge-urgency.ts';
import { type NamedStatus, nameFields } from './name-fields.ts';
import { type Awaited, awaitedOf } from './patience.ts';
import { sameStatus, sameValue } from './same-status.ts';
import type { View } from './view.ts';

/** What to do about one executor: a value, so that a test can compare it. */
export type Plan =
  | Write
  | (Planned & { readonly kind: 'skip'; readonly why: 'unchanged' | 'success-held-back' })
  | Blind;

/** A status to be written. */
export interface Write extends Planned {
  readonly kind: 'write';
  readonly status: ExecutorStatus;
  /** The same as it is sent. */
  readonly named: NamedStatus;
  readonly urgency: Urgency;
  /** Another manager changed our last write. */
  readonly repair: boolean;
  /** It keeps doing so. */
  readonly contended: boolean;
  /** The keys of the error groups that it shows. */
  readonly groups: readonly string[];
  /** The pods that are missing past their grace or stale. */
  readonly faulty: readonly string[];
  /** What pods may say without turning anything. */
  readonly awaited: Awaited;
}

/** Nothing can be said: the executor is gone or going, or a pod reports a newer generation than our copy, so read it first. */
interface Blind {
  readonly kind: 'skip';
  readonly why: 'executor-gone' | 'executor-terminating' | 'executor-outdated';
}

interface Planned {
  /** What to give to the next plan for this name. */
  readonly memory: ExecutorMemory;
  /** When time alone will change the plan, in milliseconds; absent if it will not. */
  readonly wakeInMs?: number;
}

/** Whether nothing is to be written any more, as far as can be known now. */
export function isDone(plan: Plan): boolean {
  return plan.kind === 'skip' && plan.why !== 'executor-outdated' && plan.why !== 'success-held-back';
}

/** Decides the next status of an executor from what its pods report. Reads no clock, makes no call. */
export function planStatus(view: View): Plan {
  const { executor } = view;
  if (executor === undefined) return { kind: 'skip', why: 'executor-gone' };
  if (executor.metadata.deletionTimestamp !== undefined) return { kind: 'skip', why: 'executor-terminating' };
  if (!view.live && isOutdated(executor, view.reports)) return { kind: 'skip', why: 'executor-outdated' };

  const composed = composeStatus(view, executor);
  const { status, memory, wakeInMs } = composed;
  const planned = { memory, ...(wakeInMs !== undefined && { wakeInMs }) };
  if (status === undefined) return { kind: 'skip', why: 'success-held-back', ...planned };
  const named = nameFields(status, view.dropped);
  if (isShown(executor, named, { memory, own: view.fieldManager }))
    return { kind: 'skip', why: 'unchanged', ...planned };
  return { kind: 'write', ...planned, status, named, ...urgencyOf(executor, status, composed) };
}

/**
 * What to remember once `plan` was written and the server answered with `answer`.
 *
 * @param before - what is remembered so far, where looks have followed the one that made the plan.
 */
export function rememberWrite(
  plan: Write,
  answer: Executor,
  before: ExecutorMemory = plan.memory,
): ExecutorMemory {
  const { rewrittenMs: _repaired, ...memory } = before;
  const shownGroups = new Set([...memory.shownGroups, ...plan.groups]);
  return {
    ...memory,
    shownGroups,
    shownFaulty: plan.faulty,
    written: { wanted: plan.status, sent: plan.named, answer },
  };
}

function isOutdated({ metadata }: Executor, reports: readonly ExecutorPodStatus[]): boolean {
  return reports.some(
    ({ status }) =>
      status !== undefined &&
      status.executorUID === metadata.uid &&
      status.executorGeneration > (metadata.generation ?? 0),
  );
}

/**
 * Nothing to write: it is stored already, and nothing more under our name; or the very same was sent and nobody wrote since. The
 * latter ends a quarrel with a server that stores something else than it was sent.
 */
function isShown(
  executor: Executor,
  named: NamedStatus,
  { memory: { written }, own }: { readonly memory: ExecutorMemory; readonly own: string },
): boolean {
  if (sameStatus(executor.status, named) && !holdsUnknown(executor, own)) return true;
  return (
    written !== undefined &&
    written.answer.metadata.resourceVersion === executor.metadata.resourceVersion &&
    sameValue(written.sent, named)
  );
}

function urgencyOf(
  executor: Executor,
  wanted: ExecutorStatus,
  { facts, memory }: Composed,
): Pick<Write, 'urgency' | 'repair' | 'contended' | 'groups' | 'faulty' | 'awaited'> {
  const shown = memory.written?.answer.status ?? executor.status;
  const groups = facts.failing.slice(0, wanted.errorGroups?.length ?? 0).map(({ key }) => key);
  const { shownGroups, shownFaulty, rewrittenMs } = memory;
  const urgency = judgeUrgency({ shown, wanted, pods: facts.pods, groups, shownGroups, shownFaulty });
  const { contended } = facts.rewrites;
  return {
    urgency,
    repair: rewrittenMs !== undefined,
    contended,
    groups,
    faulty: faultyPods(facts.pods),
    awaited: awaitedOf(facts, memory),
  };
}

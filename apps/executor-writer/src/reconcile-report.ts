import type { ExecutorPodStatus, ExecutorRef, PodIdentity, ReportStatus } from '@executor-status/api';
import type { KeyTimers } from '@executor-status/controller';
import type { Clock } from '@executor-status/kube';
import type { Log } from '@executor-status/process';
import { executorKey, refOfKey } from './executor-key.ts';
import type { OwnReports } from './own-reports.ts';
import { type ObjectPlan, planReport } from './plan-report.ts';
import type { Verdict } from './report-status.ts';
import type { Vanishings } from './vanishings.ts';
import type { ReportWriter } from './write-report.ts';

/** What reports are decided from, and what carries the decision out. */
export interface ReportParts {
  readonly pod: PodIdentity;
  readonly own: OwnReports;
  readonly writer: ReportWriter;
  readonly vanishings: Vanishings;
  /** Alarms by executor key: when a report that keeps vanishing may be made again. */
  readonly alarms: KeyTimers;
  readonly isGone: (ref: ExecutorRef) => boolean;
  readonly verdict: (ref: ExecutorRef) => Verdict | undefined;
  readonly writerVersion: string;
  readonly clock: Clock;
  /** The wall clock, for the times in a report. */
  readonly today: () => Date;
  readonly log: Log;
  /** From when it aborts nothing is made any more. */
  readonly signal: AbortSignal;
}

/**
 * Brings the report about one executor to what it should be, from what is known now. Builds nothing: a failed write is
 * repeated as a write.
 *
 * The returned function rejects with a `KubeError` when a call failed; then the report is read before the next decision.
 */
export function reconcileReport(parts: ReportParts): (key: string) => Promise<void> {
  return async (key) => {
    const ref = refOfKey(key);
    try {
      await reconcile(parts, ref);
    } catch (error) {
      parts.own.doubt(ref);
      throw error;
    }
  };
}

async function reconcile(parts: ReportParts, executor: ExecutorRef): Promise<void> {
  const { pod, own, writer, today, writerVersion } = parts;
  const stored = await readStored(parts, executor);
  const plan = planReport({
    pod,
    executor,
    gone: parts.isGone(executor),
    verdict: parts.verdict(executor),
    last: own.last(executor),
    stored,
    now: today(),
    writerVersion,
    undeclared: writer.undeclared,
  });
  switch (plan.kind) {
    case 'skip':
      if (plan.why === 'executor-gone') forget(parts, executor);
      return;
    case 'remove':
      return remove(parts, executor, stored);
    case 'write':
      return write(parts, { executor, stored, ...plan });
  }
}

async function readStored(parts: ReportParts, ref: ExecutorRef): Promise<ExecutorPodStatus | undefined> {
  const { own, vanishings, clock } = parts;
  const before = own.stored(ref);
  const stored = await own.read(ref);
  if (before !== undefined && stored === undefined) vanishings.note(executorKey(ref), clock.now());
  return stored;
}

async function remove(
  parts: ReportParts,
  executor: ExecutorRef,
  stored: ExecutorPodStatus | undefined,
): Promise<void> {
  if (stored !== undefined && !(await parts.writer.remove(stored))) {
    // Somebody was faster, or has made another one: the next look tells.
    parts.own.doubt(executor);
    return;
  }
  forget(parts, executor);
  parts.log.info('removed the report of an executor that is gone', fieldsOf(executor));
}

function forget({ own, vanishings, alarms }: ReportParts, ref: ExecutorRef): void {
  own.forget(ref);
  vanishings.forget(executorKey(ref));
  alarms.clear(executorKey(ref));
}

interface Write {
  readonly executor: ExecutorRef;
  readonly stored: ExecutorPodStatus | undefined;
  readonly object: ObjectPlan;
  readonly status: ReportStatus;
}

async function write(parts: ReportParts, { executor, stored, object, status }: Write): Promise<void> {
  const { own, writer, vanishings, alarms, clock, signal, log } = parts;
  const key = executorKey(executor);
  const pauseMs = object === 'make' ? vanishings.pauseMs(key, clock.now()) : 0;
  if (pauseMs > 0) return alarms.set(key, pauseMs);
  if (object !== 'keep') {
    // Asked before a deletion too: what is deleted here could not be made again.
    if (signal.aborted) return;
    if (object === 'replace' && stored !== undefined) await writer.remove(stored);
    own.remember(await writer.applyObject(executor, object === 'mend' ? stored : undefined));
  }
  own.remember(await writer.applyStatus(executor, status));
  const { executorUID: uid, executorGeneration: generation, succeeded, reason } = status;
  log.info('reported', { ...fieldsOf(executor), uid, generation, succeeded, reason });
}

function fieldsOf(ref: ExecutorRef) {
  return { kind: ref.kind, executor: executorKey(ref) };
}

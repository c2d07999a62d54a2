import { isDeepStrictEqual } from 'node:util';
import {
  type ExecutorPodStatus,
  type ExecutorRef,
  newExecutorPodStatus,
  POD_UID_LABEL,
  type PodIdentity,
  type ReportStatus,
} from '@executor-status/api';
import { newReportStatus, type Verdict } from './report-status.ts';

/** What to do about the report of this pod about one executor: a value, so that a test can compare it. */
export type ReportPlan =
  | { readonly kind: 'write'; readonly object: ObjectPlan; readonly status: ReportStatus }
  | { readonly kind: 'remove'; readonly why: 'executor-gone' }
  | { readonly kind: 'skip'; readonly why: 'executor-gone' | 'not-built-yet' | 'unchanged' };

/**
 * What the object needs before its status is written: nothing; to be made; its label or owner mended; or to be removed
 * and made anew, because it speaks for another pod (a predecessor of the same name) or another executor.
 */
export type ObjectPlan = 'keep' | 'make' | 'mend' | 'replace';

/** Everything that the decision about one report looks at. */
export interface ReportFacts {
  readonly pod: PodIdentity;
  readonly executor: ExecutorRef;
  /** The executor is no longer in the API server. */
  readonly gone: boolean;
  /** The newest build that has ended here; `undefined` before the first. */
  readonly verdict: Verdict | undefined;
  /** What this pod said last; differs from what is stored only when somebody else wrote there. */
  readonly last: ReportStatus | undefined;
  /** What the API server holds under the report's name. */
  readonly stored: ExecutorPodStatus | undefined;
  readonly now: Date;
  readonly writerVersion: string;
  /** Fields of the status that the installed report CRD does not have. */
  readonly undeclared: ReadonlySet<string>;
}

/** Decides about one report of this pod. Reads no clock, makes no call. */
export function planReport(facts: ReportFacts): ReportPlan {
  const { verdict } = facts;
  const object = planObject(facts);
  if (facts.gone) {
    const ours = object === 'keep' || object === 'mend';
    return ours ? { kind: 'remove', why: 'executor-gone' } : { kind: 'skip', why: 'executor-gone' };
  }
  if (verdict === undefined) return { kind: 'skip', why: 'not-built-yet' };
  const status = newReportStatus({ ...facts, verdict });
  return object === 'keep' && isDeepStrictEqual(facts.stored?.status, status)
    ? { kind: 'skip', why: 'unchanged' }
    : { kind: 'write', object, status };
}

function planObject({ pod, executor, stored }: ReportFacts): ObjectPlan {
  if (stored === undefined) return 'make';
  const wanted = newExecutorPodStatus(pod, executor);
  const { spec, metadata } = stored;
  // The node is not compared: spec is immutable, and another node alone makes no other pod.
  if (spec.pod.uid !== pod.uid || !isDeepStrictEqual(spec.executorRef, wanted.spec.executorRef))
    return 'replace';
  const owned = metadata.ownerReferences?.some((owner) => owner.uid === pod.uid) ?? false;
  return owned && metadata.labels?.[POD_UID_LABEL] === pod.uid ? 'keep' : 'mend';
}

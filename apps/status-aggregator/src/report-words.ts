import type { ReportStatus } from '@executor-status/api';
import { likeness } from './likeness.ts';

/** The pod that said it. */
export interface Speaker {
  readonly name: string;
  readonly uid: string;
}

/** Why an executor cannot be built in one pod. */
export interface FailureWords {
  /** The same for texts that differ in pod names, times, ids and ports only. */
  readonly key: string;
  readonly reason: ReportStatus['reason'];
  readonly error: string;
  readonly briefError: string;
}

/** One warning of one pod, with a key as above. */
export interface WarningWords {
  readonly key: string;
  readonly code: string;
  readonly text: string;
}

/** What the failure `report` says. Worked out once: the same objects come back for the same ones. */
export const failureWords = remembered((report, pod): FailureWords => {
  const { reason, error = '', briefError = '' } = report;
  const text = error || briefError || reason;
  return { key: `${reason} ${likeness(text, pod)}`, reason, error: text, briefError: briefError || text };
});

/** The warnings of `report`, worked out once as well. */
export const warningWords = remembered((report, pod): readonly WarningWords[] =>
  (report.warnings ?? []).map(({ code, path, message }) => {
    const text = path ? `${path}: ${message}` : message;
    return { key: `${code} ${likeness(text, pod)}`, code, text };
  }),
);

/**
 * Comparing texts costs more than all else in a look, and of a thousand reports few are new: what was worked out is kept as long
 * as the object that it was worked out of.
 */
function remembered<T>(
  workOut: (report: ReportStatus, pod: Speaker) => T,
): (report: ReportStatus, pod: Speaker) => T {
  const known = new WeakMap<ReportStatus, { readonly uid: string; readonly words: T }>();
  return (report, pod) => {
    const before = known.get(report);
    if (before?.uid === pod.uid) return before.words;
    const words = workOut(report, pod);
    known.set(report, { uid: pod.uid, words });
    return words;
  };
}

import {
  boundText,
  type ExecutorPodStatus,
  type ExecutorRef,
  newExecutorPodStatus,
  type PodIdentity,
  type ReportStatus,
} from '@executor-status/api';
import type { Outcome } from '@executor-status/executor';
import { expect } from 'chai';
import fc from 'fast-check';
import { planReport, type ReportFacts, type ReportPlan } from './plan-report.ts';

describe('planReport', () => {
  const pod: PodIdentity = { namespace: 'ratify', name: 'ratify-0', uid: 'pod-1', nodeName: 'node-1' };
  const executor: ExecutorRef = { kind: 'Executor', name: 'default' };
  const now = new Date('2026-08-06T10:00:00.123Z');
  const NOW = '2026-08-06T10:00:00Z';
  const EARLIER = '2026-08-06T09:00:00Z';

  const plans: Record<string, { facts: Partial<ReportFacts>; want: ReportPlan }> = {
    'does nothing before the first build has ended': {
      facts: { verdict: undefined, stored: report({ status: status() }) },
      want: { kind: 'skip', why: 'not-built-yet' },
    },
    'makes the report of a first build': {
      facts: {},
      want: { kind: 'write', object: 'make', status: status({ lastTransitionTime: NOW }) },
    },
    'does not write what is already there (WP-2)': {
      facts: { last: status(), stored: report({ status: status() }) },
      want: { kind: 'skip', why: 'unchanged' },
    },
    'writes the status of an object that a writer left without one (WP-5)': {
      facts: { stored: report() },
      want: { kind: 'write', object: 'keep', status: status({ lastTransitionTime: NOW }) },
    },
    'leaves out what an older report CRD does not have, and then has nothing to write (AP-7)': {
      facts: {
        undeclared: new Set(['writerVersion']),
        last: status(),
        stored: report({ status: status({ writerVersion: undefined }) }),
      },
      want: { kind: 'skip', why: 'unchanged' },
    },
    'writes again what somebody edited, with its own history (RP-10)': {
      facts: {
        last: status(),
        stored: report({ status: status({ succeeded: false, lastTransitionTime: '2001-01-01T00:00:00Z' }) }),
      },
      want: { kind: 'write', object: 'keep', status: status() },
    },
    'writes again what somebody deleted, with its own history (RP-10)': {
      facts: { last: status() },
      want: { kind: 'write', object: 'make', status: status() },
    },
    'mends an owner that somebody removed (B29)': {
      facts: { last: status(), stored: report({ metadata: { ownerReferences: [] }, status: status() }) },
      want: { kind: 'write', object: 'mend', status: status() },
    },
    'mends a label that somebody removed': {
      facts: { last: status(), stored: report({ metadata: { labels: {} }, status: status() }) },
      want: { kind: 'write', object: 'mend', status: status() },
    },
    'replaces the report of a predecessor of the same name (ID-6, B29)': {
      facts: { stored: report({ pod: { ...pod, uid: 'pod-0' }, status: status() }) },
      want: { kind: 'write', object: 'replace', status: status({ lastTransitionTime: NOW }) },
    },
    'replaces a report that has its name and speaks of another executor': {
      facts: { stored: report({ executor: { kind: 'Executor', name: 'other' }, status: status() }) },
      want: { kind: 'write', object: 'replace', status: status({ lastTransitionTime: NOW }) },
    },
    'removes the report of an executor that is gone (S3)': {
      facts: { gone: true, last: status(), stored: report({ status: status() }) },
      want: { kind: 'remove', why: 'executor-gone' },
    },
    'removes nothing twice': { facts: { gone: true }, want: { kind: 'skip', why: 'executor-gone' } },
    'leaves the report of a predecessor to the garbage collector': {
      facts: { gone: true, stored: report({ pod: { ...pod, uid: 'pod-0' } }) },
      want: { kind: 'skip', why: 'executor-gone' },
    },
  };

  for (const [name, tc] of Object.entries(plans)) {
    it(name, () => expect(planReport(facts(tc.facts))).to.deep.equal(tc.want));
  }

  const failed = {
    succeeded: false,
    reason: 'CredentialsInvalid',
    error: 'a: no PEM',
    briefError: 'no PEM',
  } as const;
  const failedStatus = status({ ...failed, blocksSet: true, lastSucceededGeneration: undefined });

  const statuses: Record<
    string,
    { outcome?: Partial<Outcome>; last?: ReportStatus; generation?: number; uid?: string; want: ReportStatus }
  > = {
    'moves the transition time when the verdict flips (WP-2)': {
      outcome: failed,
      last: status(),
      want: { ...failedStatus, lastTransitionTime: NOW, lastSucceededGeneration: 4 },
    },
    'keeps the transition time when only the reason changes (WP-2)': {
      outcome: { ...failed, reason: 'ProviderDenied' },
      last: failedStatus,
      want: { ...failedStatus, reason: 'ProviderDenied' },
    },
    'keeps the transition time over a new generation (WP-2)': {
      generation: 5,
      last: status(),
      want: status({ executorGeneration: 5, lastSucceededGeneration: 5 }),
    },
    'says which older generation built (WP-7)': {
      outcome: failed,
      generation: 5,
      last: status(),
      want: {
        ...failedStatus,
        executorGeneration: 5,
        lastTransitionTime: NOW,
        lastSucceededGeneration: 4,
        error: 'a: no PEM; generation 4 built in this pod',
      },
    },
    'keeps the newest generation that built while later ones fail (WP-7)': {
      outcome: failed,
      generation: 6,
      last: { ...failedStatus, executorGeneration: 5, lastSucceededGeneration: 4 },
      want: {
        ...failedStatus,
        executorGeneration: 6,
        lastSucceededGeneration: 4,
        error: 'a: no PEM; generation 4 built in this pod',
      },
    },
    'begins anew with an executor that was made anew (ID-5)': {
      outcome: failed,
      uid: 'uid-2',
      last: { ...failedStatus, lastSucceededGeneration: 3, recoveredAt: EARLIER },
      want: { ...failedStatus, executorUID: 'uid-2', lastTransitionTime: NOW },
    },
    'says when a generation recovered that had failed for a passing reason (ST-4)': {
      last: failedStatus,
      want: status({ lastTransitionTime: NOW, recoveredAt: NOW }),
    },
    'keeps the time of a recovery while the generation stands (ST-4)': {
      last: status({ recoveredAt: EARLIER }),
      want: status({ recoveredAt: EARLIER }),
    },
    'forgets a recovery with the next generation (ST-4)': {
      generation: 5,
      last: status({ recoveredAt: EARLIER }),
      want: status({ executorGeneration: 5, lastSucceededGeneration: 5 }),
    },
    'calls it no recovery when an edit mended it': {
      generation: 5,
      last: failedStatus,
      want: status({ executorGeneration: 5, lastSucceededGeneration: 5, lastTransitionTime: NOW }),
    },
    'calls it no recovery when the failure was not a passing one': {
      last: { ...failedStatus, reason: 'ConfigInvalid' },
      want: status({ lastTransitionTime: NOW }),
    },
    'fills the brief error from the error (C5)': {
      outcome: { ...failed, briefError: '' },
      last: failedStatus,
      want: { ...failedStatus, briefError: 'a: no PEM' },
    },
    'has an error even if the outcome has no words (C5)': {
      outcome: { ...failed, error: '', briefError: '' },
      last: failedStatus,
      want: { ...failedStatus, error: 'CredentialsInvalid', briefError: 'CredentialsInvalid' },
    },
    'removes secrets (WP-10)': {
      outcome: { ...failed, error: 'GET https://user:pw@vault/x failed' },
      last: failedStatus,
      want: { ...failedStatus, error: 'GET https://[removed]@vault/x failed' },
    },
    'lists at most 16 materials and 5 warnings': {
      outcome: {
        material: Array.from({ length: 20 }, (_, i) => ({ path: `p${i}`, source: 'inline', sha256: 'ab' })),
        materialDigest: 'cd',
        warnings: Array.from({ length: 9 }, (_, i) => ({
          code: 'PolicyMissing',
          path: `w${i}`,
          message: 'm',
        })),
      },
      last: status(),
      want: status({
        material: Array.from({ length: 16 }, (_, i) => ({ path: `p${i}`, source: 'inline', sha256: 'ab' })),
        materialDigest: 'cd',
        warnings: Array.from({ length: 5 }, (_, i) => ({
          code: 'PolicyMissing',
          path: `w${i}`,
          message: 'm',
        })),
      }),
    },
  };

  for (const [name, tc] of Object.entries(statuses)) {
    it(name, () => {
      const verdict = {
        uid: tc.uid ?? 'uid-1',
        generation: tc.generation ?? 4,
        outcome: outcome(tc.outcome),
      };
      const plan = planReport(facts({ verdict, last: tc.last, stored: report() }));
      expect(plan).to.deep.equal({ kind: 'write', object: 'keep', status: withoutUndefined(tc.want) });
    });
  }

  it('keeps every text within the limits of the CRD, whatever the outcome says (WP-11)', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6000 });
    fc.assert(
      fc.property(text, text, (error, briefError) => {
        const last = status({ executorGeneration: 3, lastSucceededGeneration: 3 });
        const plan = planReport(
          facts({
            last,
            verdict: { uid: 'uid-1', generation: 4, outcome: outcome({ ...failed, error, briefError }) },
          }),
        );
        if (plan.kind !== 'write') throw new Error(`unexpected plan ${plan.kind}`);
        expect(Buffer.byteLength(plan.status.error ?? '')).to.be.within(1, 4096);
        expect(Buffer.byteLength(plan.status.briefError ?? '')).to.be.within(1, 123);
        expect(plan.status.error).to.match(/; generation 3 built in this pod$/);
        expect(boundText(plan.status.error ?? '', 4096)).to.equal(plan.status.error);
      }),
      { numRuns: 300 },
    );
  });

  it('writes 1,000 equal verdicts once (WP-2)', () => {
    let stored: ExecutorPodStatus | undefined;
    let writes = 0;
    for (let second = 0; second < 1000; second++) {
      const plan = planReport(
        facts({ last: stored?.status, stored, now: new Date(now.getTime() + second * 1000) }),
      );
      if (plan.kind !== 'write') continue;
      writes++;
      stored = report({ status: plan.status });
    }
    expect(writes).to.equal(1);
  });

  function facts(fields: Partial<ReportFacts> = {}): ReportFacts {
    return {
      pod,
      executor,
      gone: false,
      verdict: { uid: 'uid-1', generation: 4, outcome: outcome() },
      last: undefined,
      stored: undefined,
      now,
      writerVersion: '0.1.0',
      undeclared: new Set(),
      ...fields,
    };
  }

  function status(fields: { [K in keyof ReportStatus]?: ReportStatus[K] | undefined } = {}): ReportStatus {
    return withoutUndefined({
      id: 'ratify-0',
      executorUID: 'uid-1',
      executorGeneration: 4,
      succeeded: true,
      reason: 'Built',
      lastTransitionTime: EARLIER,
      lastSucceededGeneration: 4,
      writerVersion: '0.1.0',
      ...fields,
    }) as ReportStatus;
  }

  function report(
    fields: {
      pod?: PodIdentity;
      executor?: ExecutorRef;
      metadata?: Partial<ExecutorPodStatus['metadata']>;
      status?: ReportStatus;
    } = {},
  ): ExecutorPodStatus {
    const made = newExecutorPodStatus(fields.pod ?? pod, fields.executor ?? executor);
    return {
      ...made,
      metadata: { ...made.metadata, uid: 'report-1', ...fields.metadata },
      ...(fields.status && { status: fields.status }),
    };
  }
});

function outcome(fields: Partial<Outcome> = {}): Outcome {
  return {
    succeeded: true,
    reason: 'Built',
    blocksSet: fields.succeeded === false,
    retryable: false,
    material: [],
    warnings: [],
    files: [],
    ...fields,
  };
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

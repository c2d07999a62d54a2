import { expect } from 'chai';
import { type PodFields, pod, type ReportFields, report } from '../../../test/support/builders.ts';
import { planSweep, type SweepView } from './plan-sweep.ts';
import { projectPod } from './pod.ts';

const podOf = (fields: PodFields) => projectPod(pod(fields), '');

/** One report of `pod-a` about `default`, both of which exist; first seen as a suspect at 0, and looked at 60 s later. */
function view(fields: Partial<SweepView> = {}): SweepView {
  const one = report();
  return {
    reports: [one],
    pods: [podOf({})],
    hasExecutor: () => true,
    suspects: new Map([['report-of-uid-of-pod-a', { report: one, why: 'pod-gone', sinceMs: 0 }]]),
    confirmMs: 60_000,
    nowMs: 60_000,
    ...fields,
  };
}

describe('planSweep', () => {
  const reported = (fields: ReportFields) => ({ reports: [report(fields)] });
  const rows: Record<string, { view: Partial<SweepView>; want: readonly string[] }> = {
    'leaves a report alone whose pod runs and whose executor exists': { view: {}, want: [] },
    'takes a report whose pod is gone': { view: { pods: [] }, want: ['pod-gone'] },
    'takes a report whose pod was replaced under its name': {
      view: { pods: [podOf({ uid: 'another' })] },
      want: ['pod-gone'],
    },
    'GC-4, B32: takes a report whose pod was evicted': {
      view: { pods: [podOf({ phase: 'Failed' })] },
      want: ['pod-over'],
    },
    'GC-4: takes a report whose pod has completed': {
      view: { pods: [podOf({ phase: 'Succeeded' })] },
      want: ['pod-over'],
    },
    'leaves a report alone whose pod is still going': {
      view: { pods: [podOf({ deletionTimestamp: '2026-08-06T09:00:00Z' })] },
      want: [],
    },
    'leaves a report alone whose pod opted out': { view: { pods: [podOf({ optedOut: true })] }, want: [] },
    'GC-2: takes a report whose executor is gone': {
      view: { hasExecutor: () => false },
      want: ['executor-gone'],
    },
    'leaves a report alone while its kind of executor is not known': {
      view: { hasExecutor: () => undefined },
      want: [],
    },
    'leaves a report of an earlier executor of the same name to its pod': {
      view: reported({ executorUID: 'earlier' }),
      want: [],
    },
    'takes a report that never got a status': {
      view: { ...reported({ silent: true }), pods: [] },
      want: ['pod-gone'],
    },
    'AG-9: leaves alone what has not the shape of a report': {
      view: { reports: [{ ...report(), spec: { ...report().spec, pod: { name: '', uid: '' } } }] },
      want: [],
    },
    'GC-3: waits for a second look': { view: { pods: [], suspects: new Map() }, want: [] },
    'GC-3: waits until the two looks are far enough apart': {
      view: { pods: [], nowMs: 59_999 },
      want: [],
    },
    'GC-3: takes two looks even if they need not be apart': {
      view: { pods: [], suspects: new Map(), confirmMs: 0 },
      want: [],
    },
  };

  for (const [name, { view: fields, want }] of Object.entries(rows)) {
    it(name, () => {
      expect(planSweep(view(fields)).due.map(({ why }) => why)).to.deep.equal(want);
    });
  }

  it('begins anew with a report that did not look like an orphan in between', () => {
    const between = planSweep(view({ nowMs: 30_000 }));
    expect(between.suspects).to.have.property('size', 0);
    const again = planSweep(view({ pods: [], suspects: between.suspects }));
    expect(again.due).to.deep.equal([]);
    expect([...again.suspects.values()]).to.have.nested.property('[0].sinceMs', 60_000);
  });
});

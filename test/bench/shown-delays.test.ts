import { expect } from 'chai';
import type { AuditEntry } from '../support/control-plane.ts';
import { quantile, shownDelays } from './shown-delays.ts';

const TARGET = { name: 'default', uid: 'u', generation: 2 };

describe('shownDelays', () => {
  const report = (at: number, executorGeneration = 2, executorUID = 'u') =>
    entry(at, '', { executorUID, executorGeneration });
  const status = (at: number, podCounts: object, generation = 2, name = 'default') =>
    entry(at, name, {
      observedGeneration: 1,
      podCounts,
      conditions: [
        { type: 'StatusContended', observedGeneration: 9 },
        { type: 'Ready', observedGeneration: generation },
      ],
    });
  const cases: Record<string, { reports: AuditEntry[]; statuses: AuditEntry[]; want: number[] }> = {
    'is the time until a status counts as many': {
      reports: [report(0), report(100), report(200)],
      statuses: [status(150, { succeeded: 1 }), status(1000, { succeeded: 2, failed: 1 })],
      want: [150, 800, 900],
    },
    'is nothing where a status counted as many already': {
      reports: [report(100)],
      statuses: [status(90, { succeeded: 1 })],
      want: [0],
    },
    'is infinite for what no status counts': {
      reports: [report(0), report(1)],
      statuses: [status(5, { succeeded: 1 })],
      want: [5, Number.POSITIVE_INFINITY],
    },
    'leaves out a report that the API server did not take': {
      reports: [{ ...report(0), code: 429 }, report(10)],
      statuses: [status(15, { succeeded: 1 })],
      want: [5],
    },
    'is not ended by another generation or another executor': {
      reports: [report(0), report(0, 1), report(0, 2, 'other')],
      statuses: [
        status(1, { succeeded: 9 }, 1),
        status(2, { succeeded: 9 }, 2, 'other'),
        status(3, { failed: 1 }),
      ],
      want: [3],
    },
  };
  for (const [name, { reports, statuses, want }] of Object.entries(cases)) {
    it(name, () => {
      expect(shownDelays({ reports, statuses }, [TARGET])).to.deep.equal(want);
    });
  }
});

describe('quantile', () => {
  it('is the value that so many do not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([0, 0.5, 0.99, 1].map((share) => quantile(hundred, share))).to.deep.equal([1, 50, 99, 100]);
  });

  it('is no number for nothing at all, which no budget takes', () => {
    expect(quantile([], 0.99)).to.be.NaN;
  });
});

function entry(at: number, name: string, status: object): AuditEntry {
  const nobody = { verb: 'patch', user: '', extra: {}, apiGroup: '', resource: '', namespace: '' };
  return { ...nobody, at, name, subresource: 'status', code: 200, uri: '', userAgent: '', body: { status } };
}

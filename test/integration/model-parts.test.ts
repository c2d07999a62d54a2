import { expect } from 'chai';
import { type StoredReport, wrongReports } from '../soak/check-reports.ts';
import { ExpectedReports } from '../soak/expected-reports.ts';
import { slopePerHour } from '../soak/process-figures.ts';
import { drawStep, USUAL_WEIGHTS } from '../soak/report-steps.ts';
import { parseSoakArguments } from '../soak/soak-arguments.ts';
import { growth, type RoundFigures } from '../soak/soak-figures.ts';
import { WriteLedger } from '../soak/write-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';

const POD = { name: 'ratify-0', uid: 'pod-0' };

/** A status write, as the audit log has it; its body aside. */
const ENTRY = {
  at: 0,
  verb: 'patch',
  user: 'writer',
  extra: {},
  apiGroup: 'status.ratify.sh',
  resource: 'executorpodstatuses',
  subresource: 'status',
  namespace: 'x',
  name: 'report',
  code: 200,
  uri: '',
  userAgent: '',
};

describe('the judge of reports', () => {
  const pods = [POD];
  const judge = (...reports: readonly StoredReport[]) =>
    wrongReports(reports, { pods, expected: expected() });

  const cases: Record<string, { reports: readonly StoredReport[]; wrong: number }> = {
    'finds nothing wrong with the truth about each executor': {
      reports: [report('a', { executorGeneration: 2, succeeded: false }), report('b', {})],
      wrong: 0,
    },
    'finds a report that is missing': { reports: [report('b', {})], wrong: 1 },
    'finds an older generation': { reports: [report('a', {}), report('b', {})], wrong: 1 },
    'finds another executor of the same name': {
      reports: [
        report('a', { executorGeneration: 2, succeeded: false, executorUID: 'earlier' }),
        report('b', {}),
      ],
      wrong: 1,
    },
    'finds a wrong verdict': {
      reports: [report('a', { executorGeneration: 2, succeeded: true }), report('b', {})],
      wrong: 1,
    },
    'finds a report about nothing': {
      reports: [
        report('a', { executorGeneration: 2, succeeded: false }),
        report('b', {}),
        report('gone', {}),
      ],
      wrong: 1,
    },
  };
  for (const [name, { reports, wrong }] of Object.entries(cases)) {
    it(name, () => {
      expect(judge(...reports)).to.have.length(wrong);
    });
  }
});

describe('the ledger of writes', () => {
  it('takes writes whose generations rise and whose verdicts are true', () => {
    expect(
      new WriteLedger(expected()).check([write(1, true), write(2, false), write(2, false)]),
    ).to.deep.equal([]);
  });

  it('finds an older generation after a newer one, also in a later look (WP-4, B06)', () => {
    const ledger = new WriteLedger(expected());
    expect(ledger.check([write(2, false)])).to.deep.equal([]);
    expect(ledger.check([write(1, true)])).to.deep.equal(['report said generation 1 after 2']);
  });

  it('finds a verdict that is not that of its generation (J3)', () => {
    expect(new WriteLedger(expected()).check([write(2, true)])).to.have.length(1);
  });
});

describe('the figures of the soak', () => {
  it('have a slope per hour', () => {
    const points = [0, 1, 2, 3].map((minute) => ({ atMs: minute * 60_000, value: 100 + minute }));
    expect(slopePerHour(points)).to.be.closeTo(60, 1e-6);
    expect(slopePerHour([])).to.equal(0);
  });

  it('say what has grown', () => {
    const round = (fields: Partial<RoundFigures>) => ({
      atMs: 0,
      sockets: 2,
      mostFiles: 25,
      rssMiB: 100,
      mostRssMiB: 110,
      ...fields,
    });
    expect(growth([round({}), round({ atMs: 60_000 })], 2)).to.deep.equal([]);
    expect(growth([round({}), round({ sockets: 5 })], 2)).to.have.length(1);
    expect(growth([round({}), round({ mostFiles: 40 })], 2)).to.have.length(1);
    expect(growth([round({}), round({ mostRssMiB: 300 })], 2)).to.have.length(1);
    const hours = [0, 61, 130, 190].map((minute) => round({ atMs: minute * 60_000, rssMiB: 100 + minute }));
    expect(growth(hours, 2)).to.have.length(1);
  });
});

describe('the arguments of the soak', () => {
  it('have defaults, and a seed of its own each time', () => {
    expect(parseSoakArguments([], 7)).to.deep.equal({
      minutes: 10,
      seed: 7,
      writers: 20,
      outages: 1,
      outageSeconds: 20,
    });
    expect(parseSoakArguments(['--minutes', '0.5', '--seed', '3', '--writers', '2'], 7)).to.include({
      minutes: 0.5,
      seed: 3,
      writers: 2,
    });
  });

  for (const wrong of [
    ['--minutes', 'x'],
    ['--writers', '0'],
    ['--seed', '1.5'],
    ['--writers', ''],
    ['--faster'],
  ]) {
    it(`refuse ${wrong.join(' ')}`, () => {
      expect(() => parseSoakArguments(wrong, 7)).to.throw(Error, wrong[0]);
    });
  }
});

describe('the steps of the model', () => {
  it('are the same for the same seed, and all are drawn', () => {
    const draw = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 2_000 }, () => drawStep(random, USUAL_WEIGHTS));
    };
    expect(draw(1)).to.deep.equal(draw(1));
    expect(draw(2)).not.to.deep.equal(draw(1));
    expect(new Set(draw(1))).to.deep.equal(new Set(Object.keys(USUAL_WEIGHTS)));
  });
});

/** Of executor a, generation 2 is bad; executor b is good. */
function expected(): ExpectedReports {
  const model = new ExpectedReports();
  model.applied({ name: 'a', uid: 'uid-a', generation: 1, good: true });
  model.applied({ name: 'a', uid: 'uid-a', generation: 2, good: false });
  model.applied({ name: 'b', uid: 'uid-b', generation: 1, good: true });
  model.applied({ name: 'gone', uid: 'uid-gone', generation: 1, good: true });
  model.removed('gone');
  return model;
}

function report(name: string, fields: Partial<NonNullable<StoredReport['status']>>): StoredReport {
  return {
    metadata: { name: `ratify--0-${name}` },
    spec: { pod: POD, executorRef: { name } },
    status: {
      id: 'ratify-0',
      executorUID: `uid-${name}`,
      executorGeneration: 1,
      succeeded: true,
      reason: 'Built',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      writerVersion: '0.1.0',
      ...fields,
    },
  };
}

function write(executorGeneration: number, succeeded: boolean) {
  const body = { status: { executorUID: 'uid-a', executorGeneration, succeeded } };
  return { ...ENTRY, body };
}

import type { Condition, ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import { AggregatorSimulation } from '../../../test/support/aggregator-simulation.ts';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { planEvents, type StoredWrite } from './plan-events.ts';

const condition = (text: string, fields: Partial<Condition> = {}): Condition => {
  const [type = '', status, reason = ''] = text.split(/[=/]/);
  return {
    type,
    status: status as Condition['status'],
    reason,
    message: `about ${type}`,
    observedGeneration: 1,
    lastTransitionTime: '2026-08-06T09:00:00Z',
    ...fields,
  };
};

const good: ExecutorStatus = {
  succeeded: true,
  error: '',
  observedGeneration: 1,
  conditions: [condition('Ready=True/BuildsInAllPods')],
};
const failing: ExecutorStatus = {
  succeeded: false,
  error: '1/2 replicas unhealthy: no key',
  observedGeneration: 1,
  conditions: [condition('Ready=False/PodsFailed')],
};
const fresh: ExecutorStatus = { ...good, succeeded: false, observedGeneration: 0, conditions: [] };
const having = (...texts: readonly string[]): ExecutorStatus => ({
  ...good,
  conditions: texts.map((text) => condition(text)),
});

describe('planEvents', () => {
  const rows: Record<string, { write: Partial<StoredWrite>; want: readonly string[] }> = {
    'says nothing of a first success': { write: { before: fresh, after: good }, want: [] },
    'says nothing when nothing begins': { write: { before: failing, after: failing }, want: [] },
    'tells a first failure, of a fresh executor too': {
      write: { before: undefined, after: failing },
      want: ['Warning BuildFailed: 1/2 replicas unhealthy: no key'],
    },
    'says nothing of further pods that fail': {
      write: { before: failing, after: { ...failing, error: '2/2 replicas unhealthy: no key' } },
      want: [],
    },
    'tells the failure of a new generation': {
      write: {
        before: failing,
        after: { ...failing, conditions: [condition('Ready=False/PodsFailed', { observedGeneration: 2 })] },
      },
      want: ['Warning BuildFailed: 1/2 replicas unhealthy: no key'],
    },
    'tells a recovery': {
      write: { before: failing, after: good },
      want: ['Normal Recovered: about Ready'],
    },
    'tells each condition that begins': {
      write: {
        before: good,
        after: having(
          'PodsMissing=True/WriterNotReporting',
          'PodsStale=True/PodLost',
          'MaterialDiverged=True/DigestsDiffer',
          'StatusContended=True/ForeignWriter',
        ),
      },
      want: [
        'Warning PodsMissing: about PodsMissing',
        'Warning PodsStale: about PodsStale',
        'Warning MaterialDiverged: about MaterialDiverged',
        'Warning StatusContended: about StatusContended',
      ],
    },
    'says nothing of a condition that goes on with another reason, or ends': {
      write: {
        before: having('PodsStale=True/PodLost', 'PodsMissing=True/WriterNotReporting'),
        after: having('PodsStale=True/WriterNotRunning'),
      },
      want: [],
    },
    'takes a condition that was only kept from being removed for one that begins': {
      write: { before: having('PodsStale=False/NotApplicable'), after: having('PodsStale=True/PodLost') },
      want: ['Warning PodsStale: about PodsStale'],
    },
    'says nothing of a condition that is only kept from being removed': {
      write: { before: having('PodsStale=True/PodLost'), after: having('PodsStale=False/NotApplicable') },
      want: [],
    },
    'tells once that something is left out': {
      write: { before: good, after: { ...good, truncated: true, omitted: 400 } },
      want: [
        'Normal Truncated: the status leaves out 400 entries and shortens what is too long; the counts are exact, and the reports tell the rest',
      ],
    },
    'says nothing when something else is left out': {
      write: { before: { ...good, truncated: true }, after: { ...good, truncated: true, omitted: 401 } },
      want: [],
    },
    'AP-7: names the fields that a CRD lacks, and the remedy': {
      write: { before: good, after: good, leftOut: ['byPod', 'builds'] },
      want: [
        'Warning SchemaOutdated: apply crds/status-patch.yaml to the CRD: it lacks fields, which are left out: byPod, builds',
      ],
    },
  };

  for (const [name, { write, want }] of Object.entries(rows)) {
    it(`AP-6: ${name}`, () => {
      const events = planEvents({ before: undefined, after: good, leftOut: [], ...write });
      expect(events.map(({ type, reason, note }) => `${type} ${reason}: ${note}`)).to.deep.equal(want);
    });
  }
});

describe('the Events of a StatusKeeper', function () {
  this.timeout(60_000);
  const REF = { kind: 'Executor', name: 'default' } as const;

  async function settled(
    count: number,
  ): Promise<{ simulation: AggregatorSimulation; names: readonly string[] }> {
    const simulation = new AggregatorSimulation();
    const names = Array.from({ length: count }, (_, at) => `pod-${String(at).padStart(4, '0')}`);
    await simulation.putExecutor(executor());
    for (const name of names) {
      await simulation.putPod(pod({ name }));
      await simulation.putReport(report({ pod: name }));
    }
    await simulation.passUntil(600);
    return { simulation, names };
  }

  it('AP-6: are three at most in ten minutes in which 500 pods fail for three causes', async () => {
    const { simulation, names } = await settled(500);
    const before = simulation.events.length;
    for (const [at, name] of names.entries()) {
      await simulation.passUntil(600 + at / 10);
      await simulation.putReport(report({ pod: name, error: `cause ${'abc'[at % 3]}` }));
    }
    await simulation.passUntil(1200);
    expect(simulation.status(REF).podCounts).to.include({ failed: 500 });
    const events = simulation.events.slice(before);
    expect(events.length).to.be.within(1, 3);
    expect(events[0]).to.include({ verb: 'create', reason: 'BuildFailed' });
    expect(events[0]?.note).to.match(/^1\/500 replicas unhealthy: cause a/);
  });

  it('AP-6: are counted, not repeated, while an executor flaps', async () => {
    const { simulation } = await settled(2);
    const before = simulation.events.length;
    for (let at = 0; at < 20; at++) {
      await simulation.passUntil(600 + at * 30);
      await simulation.putReport(report({ pod: 'pod-0000', ...(at % 2 === 0 && { error: 'no key' }) }));
    }
    await simulation.passUntil(1260);
    const events = simulation.events.slice(before);
    expect(events.filter(({ verb }) => verb === 'create').map(({ reason }) => reason)).to.have.members([
      'BuildFailed',
      'Recovered',
    ]);
    expect(events.length).to.be.at.most(6);
  });

  it('AP-6: are told by the leader alone, and by a new leader not again', async () => {
    const { simulation } = await settled(2);
    const before = simulation.events.length;
    simulation.leads = false;
    await simulation.putReport(report({ pod: 'pod-0000', error: 'no key' }));
    await simulation.passUntil(700);
    expect(simulation.events.slice(before)).to.deep.equal([]);
  });
});

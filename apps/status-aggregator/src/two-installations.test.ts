import type { ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import { AggregatorSimulation } from '../../../test/support/aggregator-simulation.ts';
import { executor, pod, report } from '../../../test/support/builders.ts';
import type { SimulatedWrite } from '../../../test/support/simulated-server.ts';

const REF = { kind: 'Executor', name: 'default' } as const;

describe('two installations that write one status', function () {
  this.timeout(60_000);

  /** Two that watch different pods, so that they never agree. */
  async function installed(): Promise<readonly [AggregatorSimulation, AggregatorSimulation]> {
    const one = new AggregatorSimulation();
    const other = new AggregatorSimulation({}, one);
    for (const [simulation, name] of [
      [one, 'pod-a'],
      [other, 'pod-b'],
    ] as const) {
      await simulation.putPod(pod({ name }));
      await simulation.putReport(report({ pod: name }));
    }
    await one.putExecutor(executor());
    return [one, other];
  }

  /** Both hear of each write half a second later. */
  async function passTogether(both: readonly AggregatorSimulation[], untilS: number): Promise<void> {
    const [first] = both;
    for (let atS = first?.nowS ?? 0; atS <= untilS; atS += 0.5) {
      for (const one of both) await one.passUntil(atS);
      for (const one of both) await one.hear(REF);
    }
  }

  const contention = ({ conditions = [] }: ExecutorStatus) =>
    conditions.find(({ type, status }) => type === 'StatusContended' && status === 'True')?.message;

  it('HA-6, B26: both soon write once a minute at most, say that the status is contended, and by whom', async () => {
    const both = await installed();
    await passTogether(both, 3600);
    for (const [at, one] of both.entries()) {
      const own = one.server.writes.filter(({ manager }) => manager === one.fieldManager);
      const settled = own.filter(({ atS }) => atS > 120);
      expect(settled.length).to.be.within(10, 60);
      expect(Math.min(...gaps(settled)), 'the shortest time between two writes').to.be.at.least(60);
      expect(own.length - settled.length, 'writes until they have noticed').to.be.at.most(7);
      const last = own.at(-1)?.status ?? { succeeded: false };
      expect(contention(last)).to.contain(both[1 - at]?.fieldManager);
      const contended = one.events.filter(({ reason }) => reason === 'StatusContended');
      expect(contended).to.have.lengthOf(1);
    }
  });

  it('HA-6: the one that stays is right within 90 seconds after the other is removed', async () => {
    const [one, other] = await installed();
    await passTogether([one, other], 900);
    await passTogether([one], 990);
    const ids = () => one.status(REF).byPod?.map(({ id }) => id);
    expect(ids()).to.deep.equal(['pod-a']);
    await passTogether([one], 2400);
    expect(contention(one.status(REF))).to.equal(undefined);
    expect(ids()).to.deep.equal(['pod-a']);
  });
});

const gaps = (writes: readonly SimulatedWrite[]) =>
  writes.slice(1).map(({ atS }, at) => atS - (writes[at]?.atS ?? 0));

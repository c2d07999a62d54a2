import { expect } from 'chai';
import { AggregatorSimulation } from '../../../test/support/aggregator-simulation.ts';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { RebuildingRatify } from '../../../test/support/rebuilding-ratify.ts';
import { gist } from '../../../test/support/status-story.ts';
import type { StatusSettings } from './status-settings.ts';

const REF = { kind: 'Executor', name: 'default' } as const;
const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => `${prefix}-${String(at).padStart(2, '0')}`);

/** Fifty pods of a Ratify that rebuilds at every event; all have built the executor, long ago. */
class Fleet {
  readonly simulation: AggregatorSimulation;
  readonly ratify: RebuildingRatify;
  readonly samples: { readonly ready: string; readonly succeeded: boolean; readonly text: string }[] = [];

  constructor(settings: Partial<StatusSettings> = {}) {
    this.simulation = new AggregatorSimulation(settings);
    this.ratify = new RebuildingRatify(this.simulation.server);
  }

  async settle(names: readonly string[]): Promise<void> {
    await this.simulation.putExecutor(executor());
    for (const name of names) {
      await this.start(name);
      await this.simulation.putReport(report({ pod: name }));
    }
    await this.sampleUntil(600);
    this.samples.length = 0;
    this.ratify.forget();
  }

  async start(name: string): Promise<void> {
    this.ratify.start(name);
    await this.simulation.putPod(pod({ name }));
  }

  async stop(name: string): Promise<void> {
    this.ratify.stop(name);
    await this.simulation.removePod(pod({ name }));
  }

  /** Lets time pass, and looks at the status every 100 ms. */
  async sampleUntil(untilS: number): Promise<void> {
    for (let atMs = Math.round(this.simulation.nowS * 1000) + 100; atMs <= untilS * 1000; atMs += 100) {
      await this.simulation.passUntil(atMs / 1000);
      const status = this.simulation.status(REF);
      const { ready, succeeded } = gist(status);
      this.samples.push({ ready, succeeded, text: JSON.stringify(status) });
    }
  }

  /** Replaces all pods in waves of a quarter, as a Deployment does: a new one reports some seconds after its start, and an old one goes. */
  async rollOut(old: readonly string[], everyS: number): Promise<void> {
    const fresh = numbered(old.length, 'new');
    const slowness = 13;
    for (const [at, name] of [...fresh, ...Array<undefined>(slowness).fill(undefined)].entries()) {
      await this.sampleUntil(600 + at * everyS);
      if (name !== undefined) await this.start(name);
      const [built, gone] = [fresh[at - slowness], old[at - slowness]];
      if (built === undefined || gone === undefined) continue;
      await this.simulation.putReport(report({ pod: built }));
      await this.stop(gone);
    }
  }
}

describe('a rollout of fifty good pods', function () {
  this.timeout(60_000);
  const names = numbered(50, 'pod');

  for (const everyS of [0.5, 2, 4.5]) {
    it(`AG-5: shows no failure and no 0/0, sampled every 100 ms, with one pod every ${everyS} s`, async () => {
      const fleet = new Fleet();
      await fleet.settle(names);
      await fleet.rollOut(names, everyS);
      await fleet.sampleUntil(fleet.simulation.nowS + 120);
      expect(fleet.samples.length).to.be.greaterThan(1000);
      expect(fleet.samples.every(({ succeeded }) => succeeded)).to.equal(true);
      expect(fleet.samples.filter(({ text }) => /\b0\/0\b/.test(text))).to.deep.equal([]);
      const turns = fleet.samples.filter(({ ready }, at) => ready !== fleet.samples[at - 1]?.ready);
      expect(turns.length - 1).to.be.at.most(2);
      const { byPod = [], builds } = fleet.simulation.status(REF);
      expect(byPod.map(({ id }) => id)).to.deep.equal(numbered(50, 'new'));
      expect(builds).to.equal('50/50');
    });
  }

  it('FB-8: costs a Ratify that rebuilds at every event ten rebuilds a pod at most in five minutes', async () => {
    const fleet = new Fleet();
    await fleet.settle(names);
    await fleet.rollOut(names, 4.5);
    await fleet.sampleUntil(900);
    expect(fleet.ratify.mostRebuilds).to.be.within(1, 10);
  });

  it('FB-8: costs such a Ratify no rebuild when only failures are listed', async () => {
    const fleet = new Fleet({ detail: 'failing' });
    await fleet.settle(names);
    await fleet.rollOut(names, 4.5);
    await fleet.sampleUntil(900);
    expect(fleet.ratify.mostRebuilds).to.equal(0);
  });

  for (const detail of ['full', 'failing'] as const) {
    it(`FB-8, P2: an edit costs such a Ratify three rebuilds a pod at most beyond its own, with detail ${detail}`, async () => {
      const fleet = new Fleet({ detail });
      await fleet.settle(names);
      await fleet.simulation.change(REF, (one) => ({ ...one, metadata: { ...one.metadata, generation: 2 } }));
      for (const [at, name] of names.entries()) {
        await fleet.sampleUntil(600 + (at + 1) / 10);
        await fleet.simulation.putReport(report({ pod: name, executorGeneration: 2 }));
      }
      await fleet.sampleUntil(900);
      expect(gist(fleet.simulation.status(REF))).to.include({ succeeded: true, generation: 2 });
      expect(fleet.ratify.mostRebuilds).to.be.within(2, 4);
    });
  }
});

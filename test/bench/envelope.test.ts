import { expect } from 'chai';
import { ownDirectory } from '../support/own-directory.ts';
import { startAggregation } from './bench-aggregation.ts';
import { buildBundles } from './bench-bundles.ts';
import { BenchCluster } from './bench-cluster.ts';
import { measureBurst } from './burst.ts';
import { measureCreate } from './create.ts';
import { measureIdle } from './idle.ts';
import { Figures } from './measurement.ts';

const SIZE = { pods: 5000, executors: 5 };

describe('an aggregator of 5,000 pods and 5 executors (SC-5)', function () {
  this.timeout(20 * 60_000);
  const figures = new Figures();
  const figure = (name: string) => figures.get(name) ?? Number.NaN;

  before('has seen every report, and then an edit of one executor', async () => {
    await using cluster = await BenchCluster.start();
    const { aggregator: program } = await buildBundles(await ownDirectory('envelope-test'));
    const times = { restS: 1, idleS: 10 };
    const all = await startAggregation(cluster, { size: SIZE, program, times }, figures);
    await measureCreate(all);
    const label = (work: string) => `${all.label(work)}.one`;
    await measureBurst({ ...all, targets: all.targets.slice(0, 1), label });
    await measureIdle(all);
  });

  // All five at once stay below 30 s only where the API server takes them within a minute: `docs/sizing.md`.
  it('shows 99 of 100 verdicts on one edit within 30 s', () => {
    expect(figure('burst.5000x5.one.shown-p99')).to.be.at.most(30);
  });

  it('shows the last verdict too, after an edit and after all were new, and what follows from all', () => {
    for (const work of ['create.5000x5', 'burst.5000x5.one']) {
      // Before the work gives up.
      expect(figure(`${work}.lag`)).to.be.below(60);
      expect(figure(`${work}.verdict-lag`)).to.be.below(60);
    }
  });

  it('has no write refused', () => {
    const failed = ['create.5000x5', 'burst.5000x5.one'].flatMap((work) =>
      ['conflicts', 'refused'].map((what) => figure(`${work}.${what}`)),
    );
    expect(failed).to.deep.equal([0, 0, 0, 0]);
  });

  it('needs at most 240 MiB', () => {
    expect(figure('burst.5000x5.one.peak-rss')).to.be.at.most(240);
  });

  it('needs less than one core while all report', () => {
    // Each report is made, and then given its status.
    const seconds = (2 * SIZE.pods * SIZE.executors) / figure('create.5000x5.load');
    expect(figure('create.5000x5.cpu')).to.be.below(seconds);
  });

  it('writes nothing but its Lease when nothing happens', () => {
    expect(figure('idle.5000x5.writes')).to.equal(0);
  });
});

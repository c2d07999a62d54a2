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
    await measureBurst({ ...all, targets: all.targets.slice(0, 1) });
    await measureIdle(all);
  });

  it('shows 99 of 100 verdicts within 30 s', () => {
    expect(figure('burst.5000x5.shown-p99')).to.be.at.most(30);
  });

  it('needs at most 240 MiB', () => {
    expect(figure('burst.5000x5.peak-rss')).to.be.at.most(240);
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

import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ownDirectory } from '../support/own-directory.ts';
import { benchAggregation } from './bench-aggregation.ts';
import { buildBundles, type Program } from './bench-bundles.ts';
import { judge } from './budgets.ts';
import { benchErrors } from './errors.ts';
import { Figures } from './measurement.ts';

const SMALL = { pods: 50, executors: 20 };
const TIMES = { restS: 1, idleS: 1 };

describe('the bench', function () {
  this.timeout(180_000);

  const missed = (figures: Figures) =>
    figures.all
      .map(judge)
      .filter(({ met }) => met === false)
      .map(({ name }) => name);

  it('finds an aggregator that writes for each event (J16)', async () => {
    const figures = new Figures();
    const plan = {
      size: SMALL,
      works: ['create', 'burst'],
      times: TIMES,
      program: broken('write-per-event'),
    } as const;
    await benchAggregation(plan, figures);
    expect(missed(figures)).to.include('burst.50x20.writes');
  });

  it('finds an aggregator whose list of pods has no bounds (SC-4)', async () => {
    const figures = new Figures();
    await benchErrors(broken('unbounded-list'), figures, 1);
    expect(missed(figures)).to.include.members(['errors.shown', 'errors.refused']);
  });

  it('finds nothing wrong with what ours writes about 200 pods that fail at length (SC-4, J16)', async () => {
    const figures = new Figures();
    const { aggregator } = await buildBundles(await ownDirectory('bench-test'));
    await benchErrors(aggregator, figures, 1);
    expect(missed(figures)).to.deep.equal([]);
  });

  function broken(fault: string): Program {
    const entry = fileURLToPath(new URL('broken-aggregator.ts', import.meta.url));
    return { nodeFlags: ['--conditions=source'], entry, env: { FAULT: fault } };
  }
});

import { expect } from 'chai';
import { parseBenchArguments, WORK_NAMES } from './bench-arguments.ts';
import { benchPlan } from './bench-plan.ts';
import { budgetOf, judge } from './budgets.ts';
import { expect as expectedAt, fit, writesPerExecutor } from './cost-model.ts';
import { figureLine, figureTable } from './figure-table.ts';
import { addGrowth } from './growth.ts';
import { Figures } from './measurement.ts';
import { svgChart } from './svg-chart.ts';

describe('judge', () => {
  const cases: Record<string, { name: string; value: number; met: boolean | undefined }> = {
    'meets a budget that it reaches': { name: 'burst.50x20.writes', value: 60, met: true },
    'misses a budget that it exceeds': { name: 'burst.50x20.writes', value: 61, met: false },
    'meets a least value that it reaches': { name: 'verdict.rate', value: 2000, met: true },
    'misses a least value': { name: 'verdict.rate', value: 1999, met: false },
    'holds some budgets at any size': { name: 'idle.7x3.writes', value: 1, met: false },
    'only tells what has no budget': { name: 'limit.creates', value: 1, met: undefined },
    'misses with what is no number': { name: 'fleet.edit.first-failure', value: Number.NaN, met: false },
  };
  for (const [name, { met, ...figure }] of Object.entries(cases)) {
    it(name, () => {
      expect(judge({ ...figure, unit: '' }).met).to.equal(met);
    });
  }

  it('has the budgets of the design at the three sizes (SC-5)', () => {
    const limits = ['50x20', '1000x5', '5000x5'].map((size) =>
      ['writes', 'lag', 'cpu', 'peak-rss'].map((what) => {
        const budget = budgetOf(`burst.${size}.${what}`);
        return budget?.design ?? budget?.limit;
      }),
    );
    expect(limits).to.deep.equal([
      [60, 1.5, 0.8, 110],
      [40, 1.5, 2, 130],
      [40, 1.5, 8, 240],
    ]);
  });
});

describe('the output of the bench', () => {
  const figures = [
    judge({ name: 'burst.50x20.writes', value: 40, unit: '' }),
    judge({ name: 'burst.50x20.cpu', value: 0.9, unit: 's' }),
    judge({ name: 'limit.creates', value: 1234, unit: 'reports/s' }),
  ];

  it('says met or missed on every line that has a budget, beside the Go systems', () => {
    expect(figureTable(figures).split('\n')).to.deep.equal([
      'what                figure  budget          Go systems on this work',
      'burst.50x20.writes  40      ≤ 60    met     per-pod PR 1,000; Gatekeeper 128 to 135',
      'burst.50x20.cpu     0.9 s   ≤ 0.8   missed  per-pod PR 9; Gatekeeper 0.8 to 1.0',
      '',
      'limit.creates  1,234 reports/s',
      '',
      '1 budgets met, 1 missed',
      '',
    ]);
  });

  it('is one object a line for machines', () => {
    expect(figures.map((figure) => JSON.parse(figureLine(figure)) as unknown)).to.deep.equal([
      { name: 'burst.50x20.writes', value: 40, unit: '', budget: 60, met: true },
      { name: 'burst.50x20.cpu', value: 0.9, unit: 's', budget: 0.8, met: false },
      { name: 'limit.creates', value: 1234, unit: 'reports/s', budget: null, met: null },
    ]);
  });
});

describe('parseBenchArguments', () => {
  it('measures everything when nothing is said', () => {
    expect(parseBenchArguments([])).to.deep.equal({ works: WORK_NAMES, quick: false, json: false });
  });

  it('takes names and options in any order', () => {
    const parsed = parseBenchArguments(['idle', '--json', 'burst', '--quick']);
    expect(parsed).to.deep.equal({ works: ['idle', 'burst'], quick: true, json: true });
  });

  it('refuses a work that does not exist', () => {
    expect(() => parseBenchArguments(['bursts'])).to.throw('there is no work bursts');
  });
});

describe('benchPlan', () => {
  it('runs the three sizes of the design in full', () => {
    const { aggregations } = benchPlan({ quick: false, works: WORK_NAMES });
    const sizes = aggregations.map(({ size }) => `${size.pods}x${size.executors}`);
    expect(sizes).to.include.members(['50x20', '1000x5', '5000x5']);
  });

  it('leaves out sizes at which nothing is asked for', () => {
    const { aggregations } = benchPlan({ quick: false, works: ['restart'] });
    expect(aggregations.map(({ size, works }) => [size.pods, works])).to.deep.equal([[5000, ['restart']]]);
  });
});

describe('what a run tells about other sizes', () => {
  it('is a straight line through what was measured', () => {
    const { base, perReport } = fit([
      [1000, 12],
      [2000, 14],
      [3000, 16],
    ]);
    expect(base).to.be.closeTo(10, 1e-9);
    expect(perReport).to.be.closeTo(0.002, 1e-9);
  });

  it('adds up to a plan', () => {
    const line = { base: 10, perReport: 0.001 };
    const plan = expectedAt({ pods: 100, executors: 10 }, { cpu: line, memory: line, rate: 100 });
    expect(plan).to.deep.include({ reports: 1000, memoryMiB: 11, cpuS: 11, burstS: 10, writes: 40 });
  });

  it('counts writes of progress 2, 4, 8 to 60 s apart', () => {
    expect([1, 3, 7, 60, 200].map(writesPerExecutor)).to.deep.equal([2, 3, 4, 6, 9]);
  });

  it('shows slopes of cost, and none where a size was left out', () => {
    const figures = new Figures();
    const pair = { from: { pods: 1000, executors: 5 }, to: { pods: 5000, executors: 5 } };
    addGrowth({ pods: pair, executors: pair }, figures);
    expect(figures.all).to.deep.equal([]);
    figures.add('burst.1000x5.writes', 10);
    figures.add('burst.5000x5.writes', 30);
    addGrowth({ pods: pair, executors: pair }, figures);
    expect(figures.get('growth.writes-per-executor')).to.equal(1);
  });

  it('draws every figure, and nothing where there is none', () => {
    const series = [{ label: 'measured', color: '#000', values: [1, undefined, 3] }];
    const svg = svgChart({ title: 'Cost', unit: 's', at: ['a', 'b', 'c'], series });
    expect(svg.match(/<circle/g)).to.have.length(2);
    expect(svg).to.match(/^<svg .*<\/svg>\n$/s);
  });
});

import { budgetOf } from './budgets.ts';
import { burstSizes, figureOf, type LastRun } from './last-run.ts';
import { sizeName } from './measurement.ts';
import { svgChart } from './svg-chart.ts';

const OURS = '#1f6feb';
const BUDGET = '#c62828';

const CHARTS = [
  { name: 'latency', what: 'lag', title: 'Last report to all statuses right', unit: 's' },
  { name: 'writes', what: 'writes', title: 'Status writes in a burst, all executors', unit: 'writes' },
  { name: 'cpu', what: 'cpu', title: 'Processor time of the aggregator in a burst', unit: 's' },
  { name: 'memory', what: 'peak-rss', title: 'Peak resident memory of the aggregator', unit: 'MiB' },
] as const;

/** The pictures of `docs/sizing.md`: what bursts cost, against size. */
export function sizingCharts(run: LastRun): readonly { readonly name: string; readonly svg: string }[] {
  const sizes = burstSizes(run);
  return CHARTS.map(({ name, what, title, unit }) => {
    const figures = sizes.map((size) => `burst.${sizeName(size)}.${what}`);
    const at = sizes.map(({ pods, executors }) => `${pods.toLocaleString('en-US')} × ${executors}`);
    const series = [
      { label: 'budget', color: BUDGET, values: figures.map((figure) => budgetOf(figure)?.limit) },
      { label: 'measured', color: OURS, values: figures.map((figure) => figureOf(run, figure)) },
    ];
    return { name, svg: svgChart({ title, unit, at, series }) };
  });
}

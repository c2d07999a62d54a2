/** One line of a chart. */
export interface Series {
  readonly label: string;
  readonly color: string;
  /** In the order of the chart's `at`; nothing where there is no figure. */
  readonly values: readonly (number | undefined)[];
}

/** A chart of figures against sizes, at equal steps. */
export interface Chart {
  readonly title: string;
  readonly unit: string;
  /** The names of the steps. */
  readonly at: readonly string[];
  readonly series: readonly Series[];
}

const WIDTH = 640;
const HEIGHT = 320;
const LEFT = 70;
const TOP = 50;
const BOTTOM = 270;
const RIGHT = 610;

/** Draws a chart, the same for the same figures. */
export function svgChart(chart: Chart): string {
  const { title, unit, at, series } = chart;
  const top = niceTop(Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const x = (index: number) => LEFT + ((RIGHT - LEFT) * (index + 0.5)) / at.length;
  const y = (value: number) => BOTTOM - ((BOTTOM - TOP) * value) / top;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const level = y(top * part).toFixed(1);
    const line = `<line x1="${LEFT}" y1="${level}" x2="${RIGHT}" y2="${level}" stroke="#ddd"/>`;
    return `${line}<text x="${LEFT - 6}" y="${level}" text-anchor="end" dominant-baseline="middle">${number(top * part)}</text>`;
  });
  const steps = at.map(
    (name, index) =>
      `<text x="${x(index).toFixed(1)}" y="${BOTTOM + 20}" text-anchor="middle">${name}</text>`,
  );
  const lines = series.map((one, index) => drawn(one, { x, y, legendY: 34, legendX: LEFT + index * 180 }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="18" font-size="14" font-weight="bold">${title} (${unit})</text>`,
    ...grid,
    ...steps,
    ...lines,
    `<text x="${RIGHT}" y="${BOTTOM + 40}" text-anchor="end">pods × executors</text>`,
    '</svg>',
    '',
  ].join('\n');
}

interface Place {
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  readonly legendX: number;
  readonly legendY: number;
}

function drawn({ label, color, values }: Series, { x, y, legendX, legendY }: Place): string {
  const points = values.flatMap((value, index) =>
    value === undefined ? [] : [[x(index), y(value), value] as const],
  );
  const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
  const dots = points.map(
    ([px, py, value]) =>
      `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3" fill="${color}"/>` +
      `<text x="${px.toFixed(1)}" y="${(py - 8).toFixed(1)}" text-anchor="middle" fill="${color}">${number(value)}</text>`,
  );
  const legend =
    `<rect x="${legendX}" y="${legendY - 8}" width="10" height="10" fill="${color}"/>` +
    `<text x="${legendX + 14}" y="${legendY + 1}">${label}</text>`;
  return [
    `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...dots,
    legend,
  ].join('\n');
}

/** A round number, a little above. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return (
    [1.2, 1.6, 2, 3, 4, 6, 8, 12].map((step) => step * power).find((top) => top > value * 1.05) ?? value * 1.2
  );
}

const number = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 });

import type { Budget, Judged } from './budgets.ts';

/** The figures as a table for a terminal: first those with a budget, then what is only told. */
export function figureTable(figures: readonly Judged[]): string {
  const held = figures.filter(({ budget }) => budget !== undefined);
  const told = figures.filter(({ budget }) => budget === undefined);
  const missed = held.filter(({ met }) => met === false).length;
  const rows = held.map((one) => [
    one.name,
    figureText(one),
    one.budget === undefined ? '' : budgetText(one.budget),
    one.met === true ? 'met' : 'missed',
    one.budget?.peers ?? '',
  ]);
  return [
    ...columns([['what', 'figure', 'budget', '', 'Go systems on this work'], ...rows]),
    '',
    ...columns(told.map((one) => [one.name, figureText(one)])),
    '',
    `${held.length - missed} budgets met, ${missed} missed`,
    '',
  ].join('\n');
}

/** A figure with its unit. */
export function figureText({ value, unit }: Pick<Judged, 'value' | 'unit'>): string {
  return `${value.toLocaleString('en-US', { maximumFractionDigits: 4 })} ${unit}`.trimEnd();
}

export function budgetText({ limit, atLeast, design }: Budget): string {
  const text = `${atLeast === true ? '≥' : '≤'} ${limit.toLocaleString('en-US')}`;
  return design === undefined ? text : `${text} (design: ${design.toLocaleString('en-US')})`;
}

/** A line of JSON for machines. */
export function figureLine({ name, value, unit, budget, met }: Judged): string {
  return JSON.stringify({ name, value, unit, budget: budget?.limit ?? null, met: met ?? null });
}

function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

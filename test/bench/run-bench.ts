// What `npm run bench` starts: see BENCH_USAGE. Exit code 0 when every budget is met, 1 when one is missed, 2 when it could not measure.
import { rm } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { ownDirectory } from '../support/own-directory.ts';
import { BENCH_USAGE, parseBenchArguments, WORK_NAMES } from './bench-arguments.ts';
import { benchPlan } from './bench-plan.ts';
import { judge } from './budgets.ts';
import { figureLine, figureTable, figureText } from './figure-table.ts';
import type { LastRun } from './last-run.ts';
import { Figures } from './measurement.ts';
import { runWorks } from './run-works.ts';
import { writeSizing } from './write-sizing.ts';

const argv = process.argv.slice(2);
process.exitCode = argv.includes('--help') ? usage() : await bench().catch(failed);

async function bench(): Promise<number> {
  const wanted = parseBenchArguments(argv);
  const started = performance.now();
  const figures = new Figures((figure) => {
    if (wanted.json) process.stdout.write(`${figureLine(judge(figure))}\n`);
    else process.stderr.write(`${elapsed(started)}  ${figure.name}: ${figureText(figure)}\n`);
  });
  const directory = await ownDirectory('bench');
  const broken = await runWorks({ ...wanted, plan: benchPlan(wanted), directory }, figures);
  await rm(directory, { recursive: true });
  const judged = figures.all.map(judge);
  if (!wanted.json) process.stdout.write(`\n${figureTable(judged)}`);
  if (broken.length > 0) return 2;
  if (!wanted.quick && wanted.works.length === WORK_NAMES.length) await keep(lastRun(figures, started));
  return judged.some(({ met }) => met === false) ? 1 : 0;
}

/** What was not reached within its deadline may be no number, which a file of figures cannot hold. */
async function keep(run: LastRun): Promise<void> {
  const unknown = run.figures.filter(({ value }) => !Number.isFinite(value)).map(({ name }) => name);
  if (unknown.length === 0) await writeSizing(run);
  else console.error(`docs/sizing.md stays as it was: ${unknown.join(', ')} cannot be told`);
}

function lastRun({ all }: Figures, started: number): LastRun {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: { cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) },
    minutes: Math.round((performance.now() - started) / 60_000),
    figures: all,
  };
}

function elapsed(started: number): string {
  const seconds = Math.round((performance.now() - started) / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

function usage(): number {
  process.stdout.write(`${BENCH_USAGE}\n`);
  return 0;
}

function failed(error: unknown): number {
  console.error(error);
  return 2;
}

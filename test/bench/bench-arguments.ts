import { parseArgs } from 'node:util';

/** The works, in the order in which they run. */
export const WORK_NAMES = [
  'limit',
  'verdict',
  'create',
  'burst',
  'idle',
  'takeover',
  'restart',
  'errors',
  'fleet',
  'sidecar',
] as const;

export type WorkName = (typeof WORK_NAMES)[number];

/** What the caller of the bench asked for. */
export interface BenchArguments {
  readonly works: readonly WorkName[];
  readonly quick: boolean;
  readonly json: boolean;
}

export const BENCH_USAGE = `npm run bench [-- NAME …] [--quick] [--json]

  NAME     what to measure; all when left out: ${WORK_NAMES.join(', ')}
  --quick  smaller sizes and shorter waits, below four minutes
  --json   one object a line: name, value, unit, budget, met

A full run of all works writes docs/sizing.md and its pictures.`;

/**
 * Reads the command line of the bench.
 *
 * @throws {Error} naming the argument and what it may be.
 */
export function parseBenchArguments(argv: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  const unknown = positionals.filter((name) => !isWork(name));
  if (unknown.length > 0) throw new Error(`there is no work ${unknown.join(', ')}`);
  const works = positionals.length === 0 ? WORK_NAMES : positionals.filter(isWork);
  return { works, quick: values.quick ?? false, json: values.json ?? false };
}

function isWork(name: string): name is WorkName {
  return WORK_NAMES.some((known) => known === name);
}

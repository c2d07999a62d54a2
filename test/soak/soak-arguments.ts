import { parseArgs } from 'node:util';

/** What the caller of the soak asked for. */
export interface SoakArguments {
  /** How long faults go on; the start and the last look come on top. */
  readonly minutes: number;
  /** Decides every step and every fault. */
  readonly seed: number;
  readonly writers: number;
  /** How often the API server is killed, spread evenly over the time. */
  readonly outages: number;
  /** How long it stays away each time. */
  readonly outageSeconds: number;
}

export const SOAK_USAGE = `npm run soak -- [--minutes N] [--seed S] [--writers N] [--outages N] [--outage-seconds S]

  --minutes N         how long to break things (default 10)
  --seed S            decides every step and every fault; printed, so that a run can be repeated (default: another one each time)
  --writers N         how many executor-writers run (default 20)
  --outages N         how often the API server is killed (default 1)
  --outage-seconds S  how long it stays away each time (default 20)

Ends with 0 if every report was right after each round and nothing else was broken, else with 1.`;

/**
 * Reads the command line of the soak.
 *
 * @param newSeed - the seed if none is given.
 * @throws {Error} naming the argument and what it may be.
 */
export function parseSoakArguments(argv: readonly string[], newSeed: number): SoakArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(newSeed) },
      writers: { type: 'string', default: '20' },
      outages: { type: 'string', default: '1' },
      'outage-seconds': { type: 'string', default: '20' },
    },
  });
  return {
    minutes: numberFrom('--minutes', values.minutes, { least: 0.1, whole: false }),
    seed: numberFrom('--seed', values.seed, { least: 0, whole: true }),
    writers: numberFrom('--writers', values.writers, { least: 1, whole: true }),
    outages: numberFrom('--outages', values.outages, { least: 0, whole: true }),
    outageSeconds: numberFrom('--outage-seconds', values['outage-seconds'], { least: 0, whole: true }),
  };
}

function numberFrom(flag: string, text: string, { least, whole }: { least: number; whole: boolean }): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value))) return value;
  throw new Error(
    `${flag} takes a ${whole ? 'whole ' : ''}number of at least ${least}, not ${JSON.stringify(text)}`,
  );
}

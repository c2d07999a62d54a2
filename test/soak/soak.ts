// npm run soak: writers on a real API server over a hostile network, for as long as asked.
import { setTimeout as sleep } from 'node:timers/promises';
import { startControlPlane } from '../support/control-plane.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { runReportModel } from './report-model.ts';
import { USUAL_WEIGHTS } from './report-steps.ts';
import { ReportWorld } from './report-world.ts';
import { parseSoakArguments, SOAK_USAGE, type SoakArguments } from './soak-arguments.ts';
import { growth, type RoundFigures, roundFigures, roundLine, rssSlope } from './soak-figures.ts';

const ROUND_MS = 60_000;
/** A dead connection is found within 30 s, and a pause may be as long on top. */
const RIGHT_MS = 120_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);

if (process.argv.includes('--help')) print(SOAK_USAGE);
else process.exitCode = await soak(process.argv.slice(2));

async function soak(argv: readonly string[]): Promise<number> {
  let wanted: SoakArguments;
  try {
    wanted = parseSoakArguments(argv, Date.now() % 1_000_000);
  } catch (error) {
    print(`${String(error)}\n\n${SOAK_USAGE}`);
    return 1;
  }
  print(`seed ${wanted.seed}: ${wanted.writers} writers, ${wanted.minutes} minutes`);
  await using controlPlane = await startControlPlane({
    manifests: PROJECT_CRDS,
    controllers: [],
    log: print,
  });
  await using world = await ReportWorld.open(controlPlane, {
    writers: wanted.writers,
    flags: ['--call-timeout=5s', '--resync=10s'],
  });
  const rounds: RoundFigures[] = [];
  try {
    await runRounds({ world, controlPlane, wanted, rounds });
  } catch (error) {
    print(`FAILED: ${String(error)}`);
    return 1;
  }
  return report(world, wanted, rounds);
}

interface SoakRun {
  readonly world: ReportWorld;
  readonly controlPlane: Awaited<ReturnType<typeof startControlPlane>>;
  readonly wanted: SoakArguments;
  readonly rounds: RoundFigures[];
}

async function runRounds({ world, controlPlane, wanted, rounds }: SoakRun): Promise<void> {
  const { seed, minutes, outages, outageSeconds } = wanted;
  const started = performance.now();
  const elapsedMs = () => performance.now() - started;
  const totalMs = minutes * 60_000;
  let kills = 0;
  for (let round = 0; elapsedMs() < totalMs; round++) {
    const endsMs = Math.min(elapsedMs() + ROUND_MS, totalMs);
    const random = seededRandom(seed + round);
    await runReportModel({
      world,
      controlPlane,
      seed: seed + round,
      weights: USUAL_WEIGHTS,
      faultRate: 0.1,
      without: [],
      goesOn: () => elapsedMs() < endsMs,
      between: async () => {
        await sleep(100 + 400 * random());
        if (elapsedMs() < ((kills + 0.5) * totalMs) / outages) return;
        kills += 1;
        print(`${String(Math.round(elapsedMs() / 1000)).padStart(6)} s: the API server is killed (${kills})`);
        await controlPlane.apiServer.kill();
        await sleep(outageSeconds * 1000);
        await controlPlane.apiServer.start();
      },
      deadlineMs: RIGHT_MS,
    });
    const figures = await roundFigures(world, elapsedMs());
    rounds.push(figures);
    print(roundLine(figures));
  }
}

function report(world: ReportWorld, { writers }: SoakArguments, rounds: readonly RoundFigures[]): number {
  const { requests, faults, connectionsEver, mostWatches } = world.proxy.stats();
  const table = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `  ${String(count).padStart(8)} ${name}`)
      .join('\n');
  print(`requests by kind:\n${table(requests)}\nfaults by kind:\n${table(faults)}`);
  print(
    `connections ever: ${connectionsEver}; most watches of one resource in one writer: ${most(mostWatches)}`,
  );
  print(`RSS slope of the writer that was never restarted: ${rssSlope(rounds)}`);
  const grown = growth(rounds, writers);
  for (const line of grown) print(`FAILED: ${line}`);
  if (grown.length === 0)
    print('passed: every report right after each round, nothing unhandled, nothing grew');
  return grown.length === 0 ? 0 : 1;
}

function most(counts: Readonly<Record<string, number>>): number {
  return Math.max(0, ...Object.values(counts));
}

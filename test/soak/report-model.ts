import { type Fault, randomFaults } from '../support/fault-proxy.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { waitUntil } from '../support/wait-until.ts';
import { drawStep, STEPS, type StepName, type StepParts, type StepWeights } from './report-steps.ts';

/** One run of the model of reports. */
export interface ReportRun extends Omit<StepParts, 'random'> {
  /** Decides every step and every fault. */
  readonly seed: number;
  readonly weights: StepWeights;
  /** How many of all requests meet a fault, from 0 to 1. */
  readonly faultRate: number;
  /** Kinds of faults that are left out; half-open connections take half a minute to be found, each. */
  readonly without: readonly Fault['kind'][];
  /** Whether another step follows the given number of them. */
  readonly goesOn: (steps: number) => boolean;
  /** Runs after each step, with the number of steps so far. */
  readonly between?: (steps: number) => Promise<void>;
  /** How long the reports may take to be right in the end, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Edits executors, tampers with reports, breaks streams and the network, and restarts processes, at random; in the end
 * compares all reports with the model, and looks through everything that was written.
 *
 * @throws {Error} with the seed, the steps and the faults, if something is not as it must be.
 */
export async function runReportModel(run: ReportRun): Promise<void> {
  const { world, seed, weights, faultRate, without, goesOn, between, deadlineMs } = run;
  const random = seededRandom(seed);
  const taken: StepName[] = [];
  try {
    world.proxy.plan = randomFaults({ seed, rate: faultRate, without });
    while (goesOn(taken.length)) {
      const name = drawStep(random, weights);
      taken.push(name);
      await STEPS[name]({ ...run, random });
      await between?.(taken.length);
    }
    // So that there is always something that must be gone in the end.
    for (const { name } of world.expected.executors.filter((_, at) => at % 2 === 1)) await world.remove(name);
    await world.proxy.heal();
    const right = async () => {
      const wrong = await world.wrong();
      if (wrong.length > 0) throw new Error(wrong.slice(0, 5).join('\n'));
      return true;
    };
    await waitUntil(right, { what: 'all reports to be right', deadlineMs, everyMs: 200 });
    const broken = await world.broken();
    if (broken.length > 0) throw new Error(broken.slice(0, 5).join('\n'));
  } catch (error) {
    const steps = taken.slice(-200).join(', ');
    const faults = world.proxy.trace.slice(-300).join('; ');
    const said = world.writers.lastLines(20, String(error));
    throw new Error(`seed ${seed}: ${String(error)}\nsteps: ${steps}\nfaults: ${faults}\nlogs:\n${said}`, {
      cause: error,
    });
  }
}

import type { KubeClient } from '@executor-status/kube';
import type { Follower } from '../integration/robust-follower.ts';
import type { RobustStage } from '../integration/robust-stage.ts';
import { type Network, randomFaults, type StreamFault } from '../support/fault-proxy.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { waitUntil } from '../support/wait-until.ts';

/** One run of the model of a watch. */
export interface WatchRun {
  readonly stage: RobustStage;
  readonly client: KubeClient;
  /** Decides every step and every fault. */
  readonly seed: number;
  readonly steps: number;
  /** How long the store may take to equal the API server in the end, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Edits executors, breaks the network and the streams of a watch, at random, and in the end compares the watch's store
 * with the API server.
 *
 * @throws {Error} with the seed, the steps and the faults, if they differ, or if a rule of the watch was broken on the way.
 */
export async function runWatchModel(run: WatchRun): Promise<void> {
  const { stage, client, seed, steps, deadlineMs } = run;
  const random = seededRandom(seed);
  const taken: string[] = [];
  stage.proxy.plan = randomFaults({ seed, rate: 0.2, without: ['drop'] });
  const follower = stage.follow(client, { silenceMs: 2_000 });
  try {
    for (let step = 0; step < steps; step++) {
      const name = drawStep(random);
      taken.push(name);
      await STEPS[name](stage, random);
    }
    await stage.proxy.heal();
    await follower.equalsServer(deadlineMs);
    checkRules(stage, follower);
  } catch (error) {
    throw new Error(
      `seed ${seed}: ${String(error)}\nsteps: ${taken.join(', ')}\nfaults: ${stage.proxy.trace.join('; ')}`,
      { cause: error },
    );
  } finally {
    follower.stop();
  }
}

/** What holds of every watch, however it went. */
function checkRules({ proxy }: RobustStage, follower: Follower): void {
  const { faults, mostWatches } = proxy.stats();
  const most = Math.max(...Object.values(mostWatches));
  if (most > 1) throw new Error(`${most} watches were open at one time`);
  // Each expired version costs one list, and nothing else does.
  const allowed = 1 + (faults['expired'] ?? 0) + (faults['answer 410'] ?? 0);
  if (follower.lists > allowed) throw new Error(`${follower.lists} lists, allowed are ${allowed}`);
  const replayed = JSON.stringify(follower.replayed());
  const stored = JSON.stringify(follower.world());
  if (replayed !== stored) throw new Error(`the changes add up to ${replayed}, the store has ${stored}`);
}

type Random = () => number;
type Step = (stage: RobustStage, random: Random) => unknown;

const nameOf = (random: Random) => `executor-${Math.floor(random() * 6)}`;
const anyOf = <T>(random: Random, all: readonly [T, ...T[]]): T =>
  all[Math.floor(random() * all.length)] ?? all[0];

const STRIKES: readonly [StreamFault['kind'], ...StreamFault['kind'][]] = [
  'cut',
  'reset',
  'end',
  'truncate',
  'garble',
  'expired',
  'drop',
  'stall',
];
const OUTAGES: readonly [Network, ...Network[]] = ['refused', 'reset', 'tls-error'];

const STEPS = {
  apply: (stage, random) => stage.apply(nameOf(random), { scope: `scope-${random()}.example` }),
  label: async (stage, random) => {
    const [name, labels] = [nameOf(random), { noise: String(Math.floor(random() * 1e6)) }];
    await stage.apply(name, { metadata: { labels } });
  },
  remove: (stage, random) => removeIfThere(stage, nameOf(random)),
  recreate: async (stage, random) => {
    const name = nameOf(random);
    await removeIfThere(stage, name);
    await stage.apply(name);
  },
  // Until it is open there is nothing to strike; but not for long, since the plan may be at it.
  watched: async ({ proxy }) => {
    const open = () => Object.values(proxy.stats().watches).includes(1);
    await waitUntil(open, { what: 'an open watch', deadlineMs: 500 }).catch(() => undefined);
  },
  strike: ({ proxy }, random) => proxy.strike({ verb: 'watch' }, { kind: anyOf(random, STRIKES) }),
  // What goes while nobody watches, and only a new list can tell.
  gap: async (stage, random) => {
    const [gone, anew] = [nameOf(random), nameOf(random)];
    stage.proxy.fault({ match: { verb: 'watch' }, kind: 'answer', code: 410, times: 1 });
    stage.proxy.strike({ verb: 'watch' }, { kind: 'cut' });
    await removeIfThere(stage, anew);
    await stage.apply(anew);
    await removeIfThere(stage, gone);
  },
  break: ({ proxy }, random) => proxy.network(anyOf(random, OUTAGES)),
  mend: ({ proxy }) => proxy.network('up'),
} as const satisfies Record<string, Step>;

type StepName = keyof typeof STEPS;

/** How often each step is taken. */
const WEIGHTS: readonly (readonly [StepName, number])[] = [
  ['apply', 6],
  ['label', 1],
  ['remove', 4],
  ['recreate', 3],
  ['watched', 5],
  ['strike', 5],
  ['gap', 2],
  ['break', 1],
  ['mend', 3],
];

function drawStep(random: Random): StepName {
  const all = WEIGHTS.flatMap(([name, weight]) => Array.from({ length: weight }, () => name));
  return all[Math.floor(random() * all.length)] ?? 'apply';
}

async function removeIfThere(stage: RobustStage, name: string): Promise<void> {
  await stage.remove(name).catch(() => undefined); // It is not there.
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane, Pod } from '../support/control-plane.ts';
import type { Network, StreamFault } from '../support/fault-proxy.ts';
import type { ReportWorld } from './report-world.ts';

/** Returns a number in [0, 1). */
export type Random = () => number;

/** What a step may touch. */
export interface StepParts {
  readonly world: ReportWorld;
  readonly controlPlane: ControlPlane;
  readonly random: Random;
}

type Step = (parts: StepParts) => unknown;

const EXECUTORS = 6;

const anyOf = <T>(random: Random, all: readonly [T, ...T[]]): T =>
  all[Math.floor(random() * all.length)] ?? all[0];
const nameOf = (random: Random) => `executor-${Math.floor(random() * EXECUTORS)}`;
const podOf = ({ world, random }: StepParts): Pod | undefined =>
  world.writers.pods[Math.floor(random() * world.writers.pods.length)];
/** Any pod but the first, whose writer runs all the time, so that its figures can be compared. */
const restartedPod = ({ world, random }: StepParts): Pod | undefined =>
  world.writers.pods[1 + Math.floor(random() * (world.writers.pods.length - 1))];

const STRIKES: readonly [StreamFault['kind'], ...StreamFault['kind'][]] = [
  'cut',
  'reset',
  'end',
  'truncate',
  'garble',
  'expired',
];
const OUTAGES: readonly [Network, ...Network[]] = ['refused', 'reset', 'tls-error'];

/** The longest rest, in milliseconds: long enough for a build and a write, so that some are met in the middle. */
const REST_MS = 300;

/** Everything that can happen, drawn at random by {@link drawStep}. */
export const STEPS = {
  apply: ({ world, random }) => world.apply(nameOf(random), random() < 0.6),
  remove: ({ world, random }) => world.remove(nameOf(random)),
  recreate: async ({ world, random }) => {
    const [name, good] = [nameOf(random), random() < 0.6];
    await world.remove(name);
    await world.apply(name, good);
  },
  edits: async ({ world, random }) => {
    const name = nameOf(random);
    for (let edit = 0; edit < 3; edit++) await world.apply(name, random() < 0.5);
  },
  noise: async ({ world, controlPlane, random }) => {
    const path = world.fleet.path(world.ref(nameOf(random)));
    const metadata = { labels: { noise: String(Math.floor(random() * 1e6)) } };
    await controlPlane.admin.request(`PATCH ${path}`, { metadata });
    await controlPlane.admin.request(`PATCH ${path}/status`, {
      status: { succeeded: false, error: 'noise' },
    });
  },
  tamper: async (parts) => {
    const [pod, name] = [podOf(parts), nameOf(parts.random)];
    if (pod === undefined) return;
    const path = parts.world.fleet.reportPath(pod, parts.world.ref(name));
    const status = { succeeded: false, reason: 'BuildFailed', briefError: 'tampered', error: 'tampered' };
    await parts.controlPlane.admin.request(`PATCH ${path}/status`, { status });
  },
  rest: ({ random }) => sleep(REST_MS * random()),
  strike: ({ world, random }) => world.proxy.strike({ verb: 'watch' }, { kind: anyOf(random, STRIKES) }),
  // Made anew twice while nobody watches: another executor of the same name and generation.
  gap: async ({ world, random }) => {
    const [name, expired] = [nameOf(random), random() < 0.5];
    if (expired) world.proxy.fault({ match: { verb: 'watch' }, kind: 'answer', code: 410, times: 1 });
    for (const good of [random() < 0.5, random() < 0.5]) {
      world.proxy.strike({ verb: 'watch' }, { kind: 'cut' });
      await world.remove(name);
      await world.apply(name, good);
    }
  },
  break: ({ world, random }) => world.proxy.network(anyOf(random, OUTAGES)),
  mend: ({ world }) => world.proxy.network('up'),
  killWriter: async (parts) => {
    const pod = restartedPod(parts);
    if (pod !== undefined) await parts.world.writers.kill(pod);
  },
  stopWriter: async (parts) => {
    const pod = restartedPod(parts);
    if (pod !== undefined) await parts.world.writers.start(pod);
  },
  rotateToken: async (parts) => {
    const pod = podOf(parts);
    if (pod !== undefined) await parts.world.writers.rotateToken(pod);
  },
  rotateAuthority: ({ world }) => world.rotateAuthority(),
  restartApiServer: ({ controlPlane }) => restartApiServer(controlPlane),
} as const satisfies Record<string, Step>;

/** Ends the API server as a crash would, and waits until it is back. */
export async function restartApiServer({ apiServer }: ControlPlane): Promise<void> {
  await apiServer.kill();
  await apiServer.start();
}

export type StepName = keyof typeof STEPS;

/** How often each step is taken, compared with the others. */
export type StepWeights = Readonly<Partial<Record<StepName, number>>>;

/** What users, controllers and networks do; restarts take long and are few. */
export const USUAL_WEIGHTS: StepWeights = {
  apply: 12,
  remove: 5,
  recreate: 5,
  edits: 5,
  noise: 4,
  tamper: 3,
  rest: 20,
  strike: 10,
  gap: 4,
  break: 1,
  mend: 5,
  killWriter: 1,
  stopWriter: 1,
  rotateToken: 1,
  rotateAuthority: 0.5,
};

export function drawStep(random: Random, weights: StepWeights): StepName {
  const entries = Object.entries(weights) as [StepName, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  return 'apply';
}

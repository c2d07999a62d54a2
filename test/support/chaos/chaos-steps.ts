import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../wait-until.ts';
import type { ChaosWorld } from './chaos-world.ts';

/** Returns a number in [0, 1). */
export type Random = () => number;

type Fault = (world: ChaosWorld, random: Random) => Promise<void>;

const EXECUTORS = 4;
const EDITS = 4;
/** The longest rest between two edits, in milliseconds: about a build and a write. */
const REST_MS = 400;
/** How long the others may take to lead on a busy machine, in milliseconds. */
const TAKEOVER_MS = 60_000;

/** Everything that goes wrong in each round; what each does lasts some seconds, with edits meanwhile. */
const FAULTS = {
  'the leader is killed': async (world, random) => {
    const [leader] = await world.aggregators.byLeadership();
    const { holderIdentity } = await world.aggregators.lease();
    leader?.kept.app.kill('SIGKILL');
    await edit(world, random);
    await waitUntil(async () => (await world.aggregators.lease()).holderIdentity !== holderIdentity, {
      what: 'another to hold the Lease',
      deadlineMs: TAKEOVER_MS,
    });
  },
  'the API server is killed': async (world, random) => {
    await world.killApiServer();
    await sleep(1_000 + 3_000 * random());
    await world.controlPlane.apiServer.start();
    await edit(world, random);
  },
  'the network is cut': async (world, random) => {
    await world.reports.proxy.network(random() < 0.5 ? 'refused' : 'reset');
    await edit(world, random);
    await sleep(3_000 * random());
    await world.reports.proxy.heal();
  },
  // What it sends arrives: it may renew the Lease without ever knowing it.
  'the leader hears no answer': async (world, random) => {
    const [leader] = await world.aggregators.byLeadership();
    const match = { client: leader?.pod.name ?? '' };
    world.reports.proxy.fault({ kind: 'lose', match });
    world.reports.proxy.strike(match, { kind: 'cut' });
    await edit(world, random);
    await sleep(4_000 + 2_000 * random());
    await world.reports.proxy.heal();
  },
  'a clock jumps': async (world, random) => {
    const [leader, follower] = await world.aggregators.byLeadership();
    await edit(world, random);
    const skewed = random() < 0.7 ? leader : follower;
    skewed?.kept.app.kill('SIGUSR2');
    await edit(world, random);
  },
  'a writer is killed': async (world, random) => {
    const { writers } = world.reports;
    const pod = writers.pods[Math.floor(random() * writers.pods.length)];
    await edit(world, random);
    if (pod !== undefined) await writers.kill(pod);
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** Lets everything go wrong once, in an order of its own. Calls `began` with each fault. */
export async function runRound(
  world: ChaosWorld,
  random: Random,
  began: (name: FaultName) => void,
): Promise<void> {
  for (const name of shuffled(Object.keys(FAULTS) as FaultName[], random)) {
    began(name);
    await FAULTS[name](world, random);
  }
  // So that there is always one whose status can be right.
  await world.apply('executor-0', true);
}

/** Some edits with short rests: mostly of the spec, at times an executor is removed or made anew. */
async function edit(world: ChaosWorld, random: Random): Promise<void> {
  for (let count = 0; count < EDITS; count++) {
    const [name, kind, good] = [`executor-${Math.floor(random() * EXECUTORS)}`, random(), random() < 0.7];
    if (kind < 0.2) await world.reports.remove(name);
    if (kind > 0.1) await world.apply(name, good);
    await sleep(REST_MS * random());
  }
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

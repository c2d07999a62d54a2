import { expect } from 'chai';
import { runRound } from '../support/chaos/chaos-steps.ts';
import { ChaosWorld } from '../support/chaos/chaos-world.ts';
import { claimCount, statusWriters } from '../support/chaos/invariants.ts';
import { type ControlPlane, startControlPlane } from '../support/control-plane.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Decides the order and the length of what goes wrong, and the edits; another one in each run. */
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
/** How long it goes on; one round when left out. */
const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? 0);
const WRITERS = 5;
/** How long everything may take to be right after a round, on a busy machine. */
const RIGHT_MS = 90_000;

const FLAGS = [
  '--probe-host=127.0.0.1',
  '--probe-port=0',
  '--pod-selector=app=ratify',
  '--log-level=debug',
  '--lease-duration=4s',
  '--renew-deadline=3s',
  '--retry-period=500ms',
  '--success-hold=1s',
  '--transition=100ms',
  '--progress=200ms',
  '--max-progress=2s',
  '--call-timeout=5s',
  // Nobody's grace runs out, so whoever claims a success must have heard it of all pods.
  '--grace=1h',
];

describe('chaos: killed leaders, writers and API servers, a cut network, clocks that jump', function () {
  this.timeout(600_000 + 2 * MINUTES * 60_000);
  let controlPlane: ControlPlane;
  let world: ChaosWorld;
  before(async function () {
    this.timeout(20 * 60_000);
    controlPlane = await startControlPlane({ manifests: PROJECT_CRDS, controllers: [] });
    world = await ChaosWorld.open(controlPlane, { writers: WRITERS, flags: FLAGS });
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await controlPlane.stop();
  });

  it(`breaks no invariant and ends with everything right, CHAOS_SEED=${SEED} (DT-3, WP-1, HA-1, AG-2, WP-13)`, async () => {
    const random = seededRandom(SEED);
    const began: string[] = [];
    const until = performance.now() + MINUTES * 60_000;
    // The first leader has led, whatever happens to it first.
    await world.apply('executor-0', true);
    await waitUntil(() => world.wrong().then(noneOf), { what: 'the first status', deadlineMs: RIGHT_MS });
    try {
      do {
        await world.rotateTokens();
        await runRound(world, random, (name) => began.push(name));
        await waitUntil(() => world.wrong().then(noneOf), {
          what: 'everything to be right',
          deadlineMs: RIGHT_MS,
          everyMs: 200,
        });
        noneOf(await world.broken());
      } while (performance.now() < until);
    } catch (error) {
      const lines = `${began.slice(-30).join(', ')}\n${world.aggregators.lastLines(15)}`;
      throw new Error(`CHAOS_SEED=${SEED}: ${String(error)}\n${lines}`, { cause: error });
    }
    const entries = await world.entries();
    expect(statusWriters(entries, world.cast), 'both have led').to.have.property('size', 2);
    expect(claimCount(entries, world.cast), 'claims').to.be.at.least(WRITERS);
    const { renewTime = '' } = await world.aggregators.lease();
    expect(Math.abs(Date.parse(renewTime) - Date.now()), 'the skew of the leader').to.be.above(1_800_000);
  });
});

/** Passes when the list is empty, else says what is in it. */
function noneOf(wrong: readonly string[]): true {
  if (wrong.length > 0) throw new Error(wrong.slice(0, 5).join('\n'));
  return true;
}

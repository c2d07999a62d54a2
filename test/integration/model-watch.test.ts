import { expect } from 'chai';
import { type Breakage, breakClient } from '../soak/break-client.ts';
import { runWatchModel } from '../soak/watch-model.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { RobustStage } from './robust-stage.ts';

/** Begins at MODEL_SEED, else somewhere new in each run. */
const FIRST_SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 1_000_000);
const SEEDS = Number(process.env['MODEL_RUNS'] ?? 4);
const STEPS = Number(process.env['MODEL_STEPS'] ?? 80);

describe('the model of a watch: random edits, faults and outages', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();
  let stage: RobustStage;
  afterEach(() => stage[Symbol.asyncDispose]());

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    it(`ends with a store that equals the API server, MODEL_SEED=${seed} (DT-2, RP-1, RP-3, B15, B18)`, async () => {
      stage = await RobustStage.open(controlPlane(), { http1: seed % 4 === 3 });
      await runWatchModel({ stage, client: stage.client(), seed, steps: STEPS, deadlineMs: 30_000 });
    });
  }

  const breakages: readonly Breakage[] = ['resume skipped', 'delete ignored', 'retry removed'];
  for (const breakage of breakages) {
    it(`finds a client that is broken on purpose within a minute: ${breakage} (DT-2)`, async () => {
      stage = await RobustStage.open(controlPlane());
      const client = breakClient(stage.client(), breakage);
      let error: unknown;
      const until = performance.now() + 60_000;
      for (let seed = 1; error === undefined && performance.now() < until; seed++) {
        const run = { stage, client, seed, steps: STEPS, deadlineMs: 4_000 };
        error = await runWatchModel(run).catch((reason: unknown) => reason);
      }
      expect(String(error)).to.match(/^Error: seed \d+: .*(?:equal the API server|lists|add up)/);
    });
  }
});

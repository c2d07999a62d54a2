import { runReportModel } from '../soak/report-model.ts';
import { restartApiServer, USUAL_WEIGHTS } from '../soak/report-steps.ts';
import { ReportWorld } from '../soak/report-world.ts';
import { type ControlPlane, startControlPlane } from '../support/control-plane.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';

/** Begins at MODEL_SEED, else somewhere new in each run. */
const FIRST_SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 1_000_000);
const SEEDS = Number(process.env['MODEL_RUNS'] ?? 1);
const STEPS = Number(process.env['MODEL_STEPS'] ?? 80);

describe('the model of reports: random edits, faults, outages and restarts', function () {
  this.timeout(300_000);
  let controlPlane: ControlPlane;
  let world: ReportWorld;
  before(async function () {
    this.timeout(20 * 60_000);
    controlPlane = await startControlPlane({ manifests: PROJECT_CRDS, controllers: [] });
  });
  beforeEach(async () => {
    world = await ReportWorld.open(controlPlane, { writers: 2, flags: ['--call-timeout=5s', '--resync=2s'] });
  });
  afterEach(() => world[Symbol.asyncDispose]());
  after(() => controlPlane.stop());

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    it(`ends with reports that equal the model, MODEL_SEED=${seed} (DT-2, WP-3, WP-4, FB-3, J3, B06, B18)`, async () => {
      await runReportModel({
        world,
        controlPlane,
        seed,
        weights: USUAL_WEIGHTS,
        faultRate: 0.15,
        without: ['drop'],
        goesOn: (steps) => steps < STEPS,
        between: async (steps) => {
          // Once, halfway: it takes as long as all the rest.
          if (steps === STEPS / 2) await restartApiServer(controlPlane);
        },
        deadlineMs: 50_000,
      });
    });
  }
});

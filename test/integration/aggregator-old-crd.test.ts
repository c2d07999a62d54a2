import { join } from 'node:path';
import { expect } from 'chai';
import { RATIFY_PLURALS, readRatifyCrd } from '../../scripts/crds/executor-crds.ts';
import { ROOT } from '../contract/crd-schema.ts';
import { type ControlPlane, type Manifest, startControlPlane } from '../support/control-plane.ts';
import { gist } from '../support/status-story.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { eventsOf } from './events-of.ts';
import { refOf } from './executor-manifest.ts';

describe('status-aggregator, before the CRDs of Ratify are patched', function () {
  this.timeout(20 * 60_000);
  // Its own, because the shared one has patched CRDs.
  let controlPlane: ControlPlane;

  before(async () => {
    controlPlane = await startControlPlane({ manifests: [join(ROOT, 'crds/executorpodstatuses.yaml')] });
    const crds = await Promise.all(RATIFY_PLURALS.map((plural) => readRatifyCrd(ROOT, plural)));
    await controlPlane.apply(crds as Manifest[]);
  });
  after(() => controlPlane.stop());

  it('AP-7, B36: stores what they have at once, says once what they lack, and the rest when they have it', async () => {
    await using stage = await AggregatorStage.install(controlPlane);
    const aggregator = await stage.start('--crd-poll=1s');
    const ref = refOf('unpatched');
    await stage.apply(ref);
    await stage.report(await stage.makePod({ name: 'ratify-1' }), ref, { error: 'no key' });
    const bare = await stage.shows(ref, ({ error }) => error?.startsWith('1/1') === true);
    expect(bare).to.deep.equal({
      succeeded: false,
      error: '1/1 replicas unhealthy: no key (ratify-1)',
      briefError: 'no key',
    });
    // The line is written after the status, and read later still.
    await aggregator.waitForLog(({ level }) => level === 'error');
    const lines = aggregator.logs().filter(({ level }) => level === 'error');
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      'the CRD lacks fields, which are left out; apply crds/status-patch.yaml',
    ]);
    expect(lines[0]?.['fields']).to.include.members(['byPod', 'conditions', 'observedGeneration']);
    const told = async () =>
      (await eventsOf(controlPlane, ref)).find(({ reason }) => reason === 'SchemaOutdated');
    const event = await waitUntil(told, { what: 'an Event about the CRD' });
    expect(event.note).to.contain('apply crds/status-patch.yaml').and.contain('byPod');
    expect(await stage.metric('executor_status_dropped_fields_total')).to.be.greaterThan(5);
    const refusals = await stage.writes({ name: ref.name, code: 500 });
    expect(
      refusals.length,
      'one for each field, and once more when the schema was first asked for',
    ).to.be.at.most(18);

    for (const plural of RATIFY_PLURALS) {
      const file = `--patch-file=${join(ROOT, 'crds/status-patch.yaml')}`;
      const { code, stderr } = await controlPlane.kubectl(
        'patch',
        'crd',
        `${plural}.${stage.group}`,
        '--type=json',
        file,
      );
      expect(code, stderr).to.equal(0);
    }
    const full = await stage.shows(ref, ({ byPod = [] }) => byPod.length === 1, 60_000);
    expect(gist(full)).to.deep.include({ ready: 'False/PodsFailed', generation: 1 });
  });
});

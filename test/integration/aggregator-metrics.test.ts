import { expect } from 'chai';
import { documentedMetrics, servedMetrics } from '../contract/metrics-page.ts';
import type { AppProcess } from '../support/app-process.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { WriterFleet } from './writer-fleet.ts';
import { probe } from './writer-probes.ts';

describe('what /metrics serves', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();

  const text = async (app: AppProcess) => (await probe(app, '/metrics')).text();
  const series = (served: string) =>
    served.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  async function expectDocumented(app: AppProcess, name: string): Promise<string> {
    const served = await text(app);
    const documented = await documentedMetrics(name);
    const listed = documented.map(({ name: metric, kind, help }) => ({ name: metric, kind, help }));
    expect(servedMetrics(served)).to.have.deep.members(listed);
    const labels = new Set(documented.flatMap((metric) => metric.labels));
    const used = series(served).flatMap((line) =>
      [...line.matchAll(/[{,](\w+)="/g)].map(([, label]) => label),
    );
    expect([...new Set(used)].filter((label) => label !== 'le' && !labels.has(label ?? ''))).to.deep.equal(
      [],
    );
    return served;
  }

  it('OP-3: of a status-aggregator that has had much to do is what the docs list, in few series', async () => {
    await using stage = await AggregatorStage.install(controlPlane());
    const pod = await stage.makePod({ name: 'ratify-1' });
    const refs = [
      ...Array.from({ length: 20 }, (_, at) => refOf(`counted-${at}`)),
      refOf('counted', stage.namespace),
    ];
    for (const ref of refs) {
      await stage.apply(ref);
      await stage.report(pod, ref, { error: 'no key' });
    }
    const aggregator = await stage.start();
    for (const ref of refs) await stage.ready(ref, 'False/PodsFailed');
    const shown = `executor_condition{kind="NamespacedExecutor",namespace="${stage.namespace}",name="counted",type="Ready",status="False"} 1`;
    await waitUntil(async () => series(await text(aggregator)).includes(shown), { what: 'the conditions' });
    const served = await expectDocumented(aggregator, 'status-aggregator');
    const own = series(served).filter((line) => !line.startsWith('executor_condition'));
    expect(own.length).to.be.at.most(200);
    expect(series(served).length - own.length).to.be.at.most(10 * refs.length);
    expect(served).not.to.contain('ratify-1').and.not.to.contain('no key');
  });

  it('OP-3: of an executor-writer is what the docs list, in few series', async () => {
    await using fleet = await WriterFleet.install(controlPlane());
    const pod = await fleet.makePod();
    await fleet.apply(refOf('counted-by-writer'));
    const writer = await fleet.start(pod);
    await waitUntil(async () => (await text(writer)).includes('executor_build_ok{'), { what: 'a build' });
    const served = await expectDocumented(writer, 'executor-writer');
    expect(series(served).length).to.be.at.most(210);
    expect(served).not.to.contain(pod.name);
  });
});

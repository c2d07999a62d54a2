import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { EXECUTOR_GROUP } from '@executor-status/api';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Manifest, Pod } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { gist } from '../support/status-story.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { probe } from './writer-probes.ts';

describe('status-aggregator, wherever executors and pods are', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();

  it('ID-8: keeps the status of a NamespacedExecutor, a set of its own in each namespace', async () => {
    await using stage = await AggregatorStage.install(controlPlane());
    const [x, y] = [await controlPlane().createNamespace('x'), await controlPlane().createNamespace('y')];
    await stage.start();
    const pod = await stage.makePod({ name: 'ratify-1' });
    const [good, broken, other] = [refOf('good', x), refOf('broken', x), refOf('other', y)];
    for (const ref of [good, broken, other]) {
      await stage.apply(ref);
      await stage.report(pod, ref, ref === broken ? { error: 'no key', blocksSet: true } : {});
    }
    await stage.ready(broken, 'False/PodsFailed');
    await stage.ready(good, 'False/BlockedBySibling');
    await stage.ready(other, 'True/BuildsInAllPods');
  });

  it('ID-7: tells pods of one name in two namespaces apart', async () => {
    const [x, y] = [await controlPlane().createNamespace('x'), await controlPlane().createNamespace('y')];
    await using stage = await AggregatorStage.install(controlPlane(), { podNamespaces: [x, y] });
    await stage.start(`--pod-namespaces=${x},${y}`);
    const ref = refOf('in-two-namespaces');
    await stage.apply(ref);
    for (const namespace of [x, y]) await stage.report(await stage.makePod({ name: 'p', namespace }), ref);
    const status = await stage.ready(ref, 'True/BuildsInAllPods');
    expect(status.byPod?.map(({ id }) => id)).to.deep.equal([`${x}/p`, `${y}/p`].toSorted());
  });

  it('B26: counts only pods and reports of its own namespaces', async () => {
    await using stage = await AggregatorStage.install(controlPlane());
    await stage.start();
    const ref = refOf('with-leftovers');
    await stage.apply(ref);
    const elsewhere = await controlPlane().createNamespace('earlier');
    await stage.report(await stage.makePod({ name: 'ratify-1', namespace: elsewhere }), ref, {
      error: 'old',
    });
    await stage.report(await stage.makePod({ name: 'ratify-1' }), ref);
    const status = await stage.ready(ref, 'True/BuildsInAllPods');
    expect(status.podCounts).to.include({ expected: 1, failed: 0 });
  });

  it('ID-8: waits for a kind that is not installed, of another group, and follows it from then on', async () => {
    await using stage = await AggregatorStage.install(controlPlane(), { group: OTHER_GROUP });
    const aggregator = await stage.start();
    await waitUntil(async () => (await probe(aggregator, '/readyz')).status === 200, {
      what: 'readiness without the CRD',
    });
    const pod = await stage.makePod({ name: 'ratify-1' });
    const crds = await crdsOf(OTHER_GROUP);
    await controlPlane().apply(crds);
    const ref = refOf('of-the-other-group');
    await stage.apply(ref);
    await stage.report(pod, ref);
    const status = await stage.ready(ref, 'True/BuildsInAllPods', 40_000);
    expect(gist(status)).to.include({ succeeded: true, generation: 1 });
    const said = aggregator
      .logs()
      .filter(({ level, msg }) => level !== 'debug' && String(msg).includes('not installed'));
    expect(said, 'each kind is spoken of once').to.have.lengthOf(2);
    // kubectl finds both groups under the same short names: other suites shall find one.
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const { metadata } of crds) await controlPlane().admin.call(`DELETE ${path}/${metadata.name}`);
  });

  it('B38: decides nothing before all first lists are there', async () => {
    await using stage = await AggregatorStage.install(controlPlane());
    const ref = refOf('unlisted');
    const pod: Pod = await stage.makePod({ name: 'ratify-1' });
    await stage.apply(ref);
    await stage.report(pod, ref);
    const binding = `/apis/rbac.authorization.k8s.io/v1/namespaces/${stage.namespace}/rolebindings/status-aggregator-pods`;
    const before = await controlPlane().admin.call(`GET ${binding}`);
    await controlPlane().admin.call(`DELETE ${binding}`);
    const since = await controlPlane().audit.mark();
    const aggregator = await stage.start();
    await controlPlane().audit.waitFor({
      since,
      user: stage.user,
      resource: 'executorpodstatuses',
      code: 403,
    });
    await controlPlane().audit.waitFor({
      since,
      user: stage.user,
      resource: 'executors',
      verb: ['list', 'watch'],
      code: 200,
    });
    expect((await probe(aggregator, '/readyz')).status).to.equal(503);
    expect(await stage.writes({ since })).to.deep.equal([]);
    const { name, namespace } = before.metadata;
    await controlPlane().apply([
      { ...(before as unknown as Manifest), metadata: { name, ...(namespace && { namespace }) } },
    ]);
    await stage.ready(ref, 'True/BuildsInAllPods', 60_000);
    expect(await stage.writes({ since, name: ref.name })).to.have.lengthOf(1);
  });
});

const OTHER_GROUP = 'config.ratify.dev';

/** The CRDs of both kinds of executor, moved to another group. */
async function crdsOf(group: string): Promise<readonly Manifest[]> {
  const files = ['executors', 'namespacedexecutors'].map((name) =>
    fileURLToPath(new URL(`../../crds/${name}.yaml`, import.meta.url)),
  );
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts.map((text) => parse(text.replaceAll(EXECUTOR_GROUP, group)) as Manifest);
}

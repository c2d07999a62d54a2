import type { Executor, ExecutorRef, ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import type { Pod } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { gist } from '../support/status-story.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';

const ids = ({ byPod = [] }: ExecutorStatus) => byPod.map(({ id }) => id);

describe('status-aggregator', function () {
  this.timeout(90_000);
  const controlPlane = useControlPlane();
  let stage: AggregatorStage;
  let pods: readonly Pod[] = [];
  let names = 0;

  before(async () => {
    stage = await AggregatorStage.install(controlPlane());
    await stage.start('--grace=5s', '--success-hold=500ms');
  });
  afterEach(async () => {
    await Promise.all(
      pods.map((pod) =>
        controlPlane()
          .removePod(pod)
          .catch(() => undefined),
      ),
    );
    pods = [];
  });
  after(() => stage[Symbol.asyncDispose]());

  /** A new executor and pods; each pod has reported a success. */
  async function built(...podNames: readonly string[]): Promise<ExecutorRef> {
    pods = await stage.makePods(...podNames);
    const ref = refOf(`aggregated-${++names}`);
    await stage.apply(ref);
    await Promise.all(pods.map((pod) => stage.report(pod, ref)));
    await stage.ready(ref, 'True/BuildsInAllPods');
    return ref;
  }

  const podNamed = (name: string): Pod => {
    const found = pods.find((pod) => pod.name === name);
    if (found === undefined) throw new Error(`no pod ${name}`);
    return found;
  };

  it('AG-4, AG-8, S2: says of a new executor that no pod runs', async () => {
    const ref = refOf('without-pods');
    await stage.apply(ref);
    const status = await stage.ready(ref, 'Unknown/NoPods');
    expect(gist(status)).to.deep.include({ succeeded: false, error: 'no Ratify pod runs', generation: 0 });
  });

  it('P4, AG-6: says which of five pods fail, and why', async () => {
    const ref = await built('ratify-1', 'ratify-2', 'ratify-3', 'ratify-4', 'ratify-5');
    await stage.report(podNamed('ratify-2'), ref, { error: 'no key' });
    await stage.report(podNamed('ratify-4'), ref, { error: 'no key' });
    const status = await stage.shows(ref, ({ builds }) => builds === '3/5');
    expect(status.error).to.equal('2/5 replicas unhealthy: no key (ratify-2, ratify-4)');
    expect(status.briefError).to.equal('no key');
    expect(status.errorGroups).to.deep.equal([
      { reason: 'BuildFailed', message: 'no key', count: 2, examplePods: ['ratify-2', 'ratify-4'] },
    ]);
    expect(status.podCounts).to.deep.equal({
      expected: 5,
      reporting: 5,
      missing: 0,
      unobserved: 0,
      upToDate: 5,
      behind: 0,
      succeeded: 3,
      failed: 2,
      stale: 0,
    });
    expect(ids(status)).to.deep.equal(['ratify-2', 'ratify-4', 'ratify-1', 'ratify-3', 'ratify-5']);
    expect(gist(status).ready).to.equal('False/PodsFailed');
  });

  it('AG-8: follows a report, a deleted pod, a failed pod and a lost one, each by itself', async () => {
    const ref = await built('ratify-1', 'ratify-2', 'ratify-3', 'ratify-4');
    await stage.report(podNamed('ratify-1'), ref, { error: 'no key' });
    await stage.ready(ref, 'False/PodsFailed');
    await controlPlane().removePod(podNamed('ratify-1'));
    expect(ids(await stage.ready(ref, 'True/BuildsInAllPods'))).to.deep.equal([
      'ratify-2',
      'ratify-3',
      'ratify-4',
    ]);
    await controlPlane().setPodStatus(podNamed('ratify-2'), { phase: 'Failed' });
    await stage.shows(ref, (status) => ids(status).join() === 'ratify-3,ratify-4');
    const conditions = [
      { type: 'Ready', status: 'False' },
      { type: 'ContainersReady', status: 'True' },
    ];
    await controlPlane().setPodStatus(podNamed('ratify-3'), { conditions });
    const status = await stage.ready(ref, 'Unknown/PodsStale');
    expect(gist(status).others).to.include('PodsStale=True/PodLost');
    expect(status.podCounts).to.include({ expected: 2, stale: 1 });
  });

  it('WP-5: takes a report without a status for a missing one, and never for a failure', async () => {
    const ref = await built('ratify-1');
    pods = [...pods, await stage.makePod({ name: 'ratify-2' })];
    await stage.report(podNamed('ratify-2'), ref, { silent: true });
    const status = await stage.shows(ref, ({ podCounts }) => podCounts?.missing === 1);
    expect(gist(status)).to.deep.include({
      succeeded: true,
      ready: 'True/BuildsInAllPods',
      others: ['Reconciling=True/RollingOut'],
    });
    const late = await stage.ready(ref, 'False/PodsNotReporting');
    expect(gist(late)).to.deep.include({
      error: '1/2 replicas unhealthy: no report from ratify-2',
      others: ['PodsMissing=True/WriterNotReporting'],
    });
    await stage.report(podNamed('ratify-2'), ref);
    expect(gist(await stage.ready(ref, 'True/BuildsInAllPods'))).to.deep.include({
      succeeded: true,
      others: [],
    });
  });

  it('S1: keeps the older verdict while a new generation builds, and then moves on as a whole', async () => {
    const ref = await built('ratify-1', 'ratify-2');
    const since = await controlPlane().audit.mark();
    await stage.apply(ref, { scope: 'edited.example' });
    const building = await stage.ready(ref, 'Unknown/Building');
    expect(gist(building)).to.deep.include({
      succeeded: true,
      generation: 1,
      others: ['Reconciling=True/Building'],
    });
    for (const pod of pods) await stage.report(pod, ref);
    const status = await stage.ready(ref, 'True/BuildsInAllPods');
    expect(gist(status)).to.deep.equal({
      succeeded: true,
      error: '',
      generation: 2,
      ready: 'True/BuildsInAllPods',
      others: [],
    });
    const writes = await stage.writes({ since, name: ref.name });
    expect(writes.map(({ code }) => code))
      .to.have.lengthOf.at.most(3)
      .and.not.include(409);
  });

  it('WP-8: shows an executor that another one of its set blocks, until that one is gone', async () => {
    const ref = await built('ratify-1');
    const broken = refOf('broken');
    await stage.apply(broken);
    await stage.report(podNamed('ratify-1'), broken, { error: 'no key', blocksSet: true });
    const status = await stage.ready(ref, 'False/BlockedBySibling');
    expect(gist(status)).to.deep.include({
      succeeded: true,
      others: ['BlockedBySibling=True/SiblingFailed'],
    });
    expect(status.conditions?.find(({ type }) => type === 'BlockedBySibling')?.message).to.contain('broken');
    await stage.remove(broken);
    expect(gist(await stage.ready(ref, 'True/BuildsInAllPods')).others).to.deep.equal([]);
  });

  it('ID-3: goes by what stands in a report, ignores one that contradicts itself, and counts it', async () => {
    const ref = await built('ratify-1', 'ratify-2');
    const other = refOf('other');
    await stage.apply(other);
    pods = [...pods, ...(await stage.makePods('ratify-3', 'ratify-4'))];
    await stage.report(podNamed('ratify-3'), ref, { name: 'r4nd0m-n4me' });
    await stage.report(podNamed('ratify-4'), ref, { name: 'ratify--4-other', error: 'forged' });
    const status = await stage.shows(ref, ({ podCounts }) => podCounts?.succeeded === 3);
    expect(ids(status)).to.deep.equal(['ratify-1', 'ratify-2', 'ratify-3']);
    expect(status.podCounts).to.include({ expected: 4, missing: 1, failed: 0 });
    expect(ids((await stage.executor(other)).status ?? { succeeded: false })).to.deep.equal([]);
    expect(await stage.metric('executor_status_identity_mismatch_total')).to.equal(1);
  });

  it('ID-5: knows no verdict about an earlier executor of the same name', async () => {
    const ref = await built('ratify-1', 'ratify-2');
    const before = (await stage.executor(ref)).metadata.uid;
    await stage.remove(ref);
    await stage.apply(ref);
    const empty = await stage.ready(ref, 'Unknown/Building');
    expect(gist(empty)).to.include({ succeeded: false, error: 'building: 0/2 pods have reported' });
    await stage.report(podNamed('ratify-1'), ref);
    await stage.report(podNamed('ratify-2'), ref, { executorUID: before, error: 'old' });
    const status = await stage.shows(ref, ({ podCounts }) => podCounts?.reporting === 1);
    expect(ids(status)).to.deep.equal(['ratify-1']);
  });

  it('ID-6: never shows the verdict of an earlier pod as that of its successor', async () => {
    const ref = await built('ratify-0', 'ratify-1');
    await stage.report(podNamed('ratify-0'), ref, { error: 'no key' });
    await stage.ready(ref, 'False/PodsFailed');
    await controlPlane().removePod(podNamed('ratify-0'));
    const successor = await stage.makePod({ name: 'ratify-0' });
    pods = [successor, podNamed('ratify-1')];
    const status = await stage.shows(
      ref,
      ({ podCounts }) => podCounts?.expected === 2 && podCounts.missing === 1,
    );
    expect(ids(status)).to.deep.equal(['ratify-1']);
    await controlPlane().admin.request(
      `DELETE ${reportsPath(stage.namespace)}/ratify--0-${ref.name.replaceAll('-', '--')}`,
    );
    await stage.report(successor, ref);
    const good = await stage.shows(ref, ({ podCounts }) => podCounts?.succeeded === 2);
    expect(good.byPod?.map(({ podUID }) => podUID)).to.include(successor.uid);
  });

  it('B03: lists exactly the pods that live, after five rollouts', async () => {
    const ref = await built('first-1', 'first-2', 'first-3');
    for (const round of [1, 2, 3, 4, 5]) {
      const fresh = await stage.makePods(...[1, 2, 3].map((at) => `round-${round}-${at}`));
      await Promise.all(fresh.map((pod) => stage.report(pod, ref)));
      await Promise.all(pods.map((pod) => controlPlane().removePod(pod)));
      pods = fresh;
    }
    const status = await stage.shows(
      ref,
      (shown) => ids(shown).join() === pods.map(({ name }) => name).join(),
    );
    expect(status.podCounts).to.include({ expected: 3, reporting: 3 });
    const managers = ((await stage.executor(ref)) as unknown as Executor).metadata.managedFields ?? [];
    expect(managers.filter(({ subresource }) => subresource === 'status')).to.have.lengthOf(1);
  });
});

import type { Condition, Executor, ExecutorRef } from '@executor-status/api';
import { expect } from 'chai';
import { APPLY_PATCH, type Pod } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { gist } from '../support/status-story.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';

const RIGHT = { succeeded: true, error: '', generation: 1, ready: 'True/BuildsInAllPods', others: [] };

describe('the writes of a status-aggregator', function () {
  this.timeout(90_000);
  const controlPlane = useControlPlane();
  let stage: AggregatorStage;
  let pod: Pod;
  let names = 0;

  before(async () => {
    stage = await AggregatorStage.install(controlPlane());
    pod = await stage.makePod({ name: 'ratify-1' });
    await stage.start('--resync=500ms', '--success-hold=500ms', '--repair=100ms', '--transition=100ms');
  });
  after(() => stage[Symbol.asyncDispose]());

  /** A new executor that the pod has built. */
  async function built(): Promise<ExecutorRef> {
    const ref = refOf(`written-${++names}`);
    await stage.apply(ref);
    await stage.report(pod, ref);
    await stage.ready(ref, 'True/BuildsInAllPods');
    return ref;
  }

  const statusPath = (ref: ExecutorRef) => `${stage.path(ref)}/status`;

  /** Makes a change elsewhere and waits until it is shown: what came before has been dealt with by then. */
  async function fence(): Promise<void> {
    await built();
  }

  /** Waits until the aggregator has compared this executor with the server so often. */
  async function compared(ref: ExecutorRef, times: number): Promise<void> {
    const since = await controlPlane().audit.mark();
    const filter = { since, verb: 'get', user: stage.user, name: ref.name };
    for (let seen = 0; seen < times; ) seen = (await controlPlane().audit.waitFor(filter)).length;
  }

  it('S9, S5: happen only when something has changed, however often all is compared', async () => {
    const ref = await built();
    const since = await controlPlane().audit.mark();
    const before = await stage.executor(ref);
    await compared(ref, 10);
    expect(await stage.writes({ since, name: ref.name })).to.deep.equal([]);
    expect((await stage.executor(ref)).metadata.resourceVersion).to.equal(before.metadata.resourceVersion);
  });

  it('J2, FB-1: do not follow labels, annotations and foreign status fields', async () => {
    const ref = await built();
    const since = await controlPlane().audit.mark();
    const foreign: Condition = {
      type: 'example.com/Seen',
      status: 'True',
      reason: 'Seen',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const body = {
      apiVersion: `${stage.group}/v2alpha1`,
      kind: ref.kind,
      metadata: { name: ref.name },
      status: { succeeded: true, conditions: [foreign] },
    };
    await controlPlane().admin.call(`PATCH ${statusPath(ref)}`, body, {
      contentType: APPLY_PATCH,
      query: { fieldManager: 'other', force: true },
    });
    for (let round = 0; round < 20; round++) {
      const metadata = { labels: { round: String(round) }, annotations: { round: String(round) } };
      await controlPlane().admin.call(`PATCH ${stage.path(ref)}`, { metadata });
      await controlPlane().admin.call(
        `PATCH ${reportsPath(stage.namespace)}/ratify--1-${ref.name.replaceAll('-', '--')}`,
        { metadata },
      );
    }
    await fence();
    expect(await stage.writes({ since, name: ref.name })).to.deep.equal([]);
    await stage.report(pod, ref, { error: 'no key' });
    const status = await stage.ready(ref, 'False/PodsFailed');
    expect(
      status.conditions?.map(({ type }) => type),
      'J7: a foreign condition survives',
    ).to.include(foreign.type);
  });

  it('J6: always name the version of the executor that they were made from', async () => {
    const ref = await built();
    const writes = await stage.writes({ name: ref.name });
    expect(writes).not.to.deep.equal([]);
    for (const { verb, subresource, body } of writes) {
      expect([verb, subresource]).to.deep.equal(['patch', 'status']);
      expect(body).to.have.nested.property('metadata.resourceVersion').that.matches(/^\d+$/);
    }
  });

  it('FB-5: heal a wiped status', async () => {
    const ref = await built();
    await controlPlane().admin.call(`PATCH ${statusPath(ref)}`, { status: null });
    expect(gist(await stage.ready(ref, 'True/BuildsInAllPods'))).to.deep.equal(RIGHT);
  });

  it('WP-15: clear what an unpatched Ratify left in the fields that both know', async () => {
    const ref = refOf(`written-${++names}`);
    const { metadata } = await stage.apply(ref);
    await controlPlane().admin.call(
      `PATCH ${statusPath(ref)}`,
      { status: { succeeded: false, error: 'from Ratify', briefError: 'brief' } },
      { query: { fieldManager: 'ratify' } },
    );
    await stage.report(pod, ref, { executorUID: metadata.uid });
    const status = await stage.ready(ref, 'True/BuildsInAllPods');
    expect(gist(status)).to.deep.equal(RIGHT);
    expect(status.briefError).to.equal('');
    await expectWritable(ref);
  });

  it('WP-15: take back a condition of ours and entries that a restore tool and an earlier installation hold', async () => {
    const ref = refOf(`written-${++names}`);
    await stage.apply(ref);
    const old: Condition = {
      type: 'PodsStale',
      status: 'True',
      reason: 'PodLost',
      message: 'old',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const byPod = [{ id: 'ghost', succeeded: false, error: 'old', observedGeneration: 1 }];
    const left = {
      succeeded: false,
      conditions: [old],
      byPod,
      podCounts: { expected: 7 },
      warningGroups: [],
      omitted: 6,
      truncated: true,
    };
    const body = {
      apiVersion: `${stage.group}/v2alpha1`,
      kind: ref.kind,
      metadata: { name: ref.name },
      status: left,
    };
    for (const fieldManager of ['status-aggregator/earlier', 'restore']) {
      await controlPlane().admin.call(`PATCH ${statusPath(ref)}`, body, {
        contentType: APPLY_PATCH,
        query: { fieldManager, force: true },
      });
    }
    await stage.report(pod, ref);
    const status = await stage.ready(ref, 'True/BuildsInAllPods');
    expect(gist(status)).to.deep.equal({ ...RIGHT, others: ['PodsStale=False/NotApplicable'] });
    expect(status.byPod?.map(({ id }) => id)).to.deep.equal(['ratify-1']);
    expect(status).to.deep.include({ omitted: 0, truncated: false });
    expect(status.podCounts).to.include({ expected: 1 });
    await expectWritable(ref);
  });

  /** No later apply is refused, whatever was left behind. */
  async function expectWritable(ref: ExecutorRef): Promise<void> {
    const since = await controlPlane().audit.mark();
    await stage.report(pod, ref, { error: 'no key' });
    await stage.ready(ref, 'False/PodsFailed');
    await stage.report(pod, ref);
    await stage.ready(ref, 'True/BuildsInAllPods');
    const refused = (await stage.writes({ since, name: ref.name })).filter(
      ({ code }) => code >= 400 && code !== 409,
    );
    expect(refused).to.deep.equal([]);
  }

  it('G6: land when others change the executor all the time', async () => {
    const ref = await built();
    let going = true;
    const storm = (async () => {
      for (let round = 0; going; round++) {
        await controlPlane().admin.call(`PATCH ${stage.path(ref)}`, {
          metadata: { labels: { storm: String(round) } },
        });
      }
    })();
    try {
      await stage.report(pod, ref, { error: 'no key' });
      await stage.ready(ref, 'False/PodsFailed');
      await stage.report(pod, ref);
      await stage.ready(ref, 'True/BuildsInAllPods');
    } finally {
      going = false;
      await storm;
    }
  });

  it('S3: end with the executor', async () => {
    const ref = await built();
    await stage.remove(ref);
    const since = await controlPlane().audit.mark();
    await stage.report(pod, await built(), { error: 'no key' });
    await controlPlane().setPodStatus(pod, { phase: 'Running' });
    await fence();
    expect(await stage.writes({ since, name: ref.name })).to.deep.equal([]);
    expect(await controlPlane().audit.count({ since, name: ref.name, user: stage.user })).to.equal(0);
  });

  it('B40: leave exactly the entries that live, after deletions while no aggregator ran', async () => {
    const [ref, doomed] = [await built(), await built()];
    const more = await stage.makePods('ratify-2', 'ratify-3');
    await Promise.all(more.map((one) => stage.report(one, ref)));
    await stage.shows(ref, ({ builds }) => builds === '3/3');
    await stage.stopAll();
    await Promise.all(more.map((one) => controlPlane().removePod(one)));
    await stage.remove(doomed);
    const since = await controlPlane().audit.mark();
    await stage.start();
    const status = await stage.shows(ref, ({ builds }) => builds === '1/1');
    expect(status.byPod?.map(({ id }) => id)).to.deep.equal(['ratify-1']);
    expect(await stage.writes({ since, name: ref.name })).to.have.lengthOf(1);
    const { managedFields = [] } = ((await stage.executor(ref)) as unknown as Executor).metadata;
    expect(managedFields.filter(({ subresource }) => subresource === 'status')).to.have.lengthOf(1);
  });
});

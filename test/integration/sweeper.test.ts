import { type ExecutorPodStatus, REPORT_PLURAL } from '@executor-status/api';
import { expect } from 'chai';
import type { AppProcess } from '../support/app-process.ts';
import { report } from '../support/builders.ts';
import type { ApiObject, AuditFilter, ControlPlane } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';
import { metric } from './writer-probes.ts';

const QUICK = ['--sweep-period=100ms', '--sweep-confirm=1s', '--success-hold=100ms', '--transition=50ms'];
const ref = refOf('swept');

describe('the sweeper of a status-aggregator', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();
  let stage: AggregatorStage;

  beforeEach(async () => {
    stage = await AggregatorStage.install(controlPlane());
    await stage.apply(ref);
  });
  afterEach(() => stage[Symbol.asyncDispose]());

  /** Makes reports of pods that never were, and that no owner reference ties to anything. */
  async function makeOrphans(count: number): Promise<void> {
    await inTurns(count, async (number) => {
      const { apiVersion, kind, metadata, spec } = report({ pod: `gone-${number}`, executorRef: ref });
      const object = { apiVersion, kind, metadata: { name: metadata.name }, spec };
      await controlPlane().admin.call(`POST ${reportsPath(stage.namespace)}`, object);
    });
  }

  const leftReports = () => reportsIn(controlPlane(), stage.namespace);
  const left = async () => (await leftReports()).map(({ spec }) => spec.pod.name).toSorted();
  const calls = (filter: AuditFilter) => controlPlane().audit.entries({ user: stage.user, ...filter });
  const sweeps = () => calls({ verb: 'delete', resource: REPORT_PLURAL });

  it('GC-3, B01: removes orphans, at most 20 a second, each after a live read of its pod and by its uid', async () => {
    const pod = await stage.makePod({ name: 'ratify-1' });
    await stage.report(pod, ref);
    await makeOrphans(100);
    const uids = new Map((await leftReports()).map(({ metadata }) => [metadata.name, metadata.uid]));
    await stage.start(...QUICK);
    await waitUntil(async () => (await left()).length === 1, {
      what: 'the end of the orphans',
      deadlineMs: 60_000,
    });
    expect(await left()).to.deep.equal(['ratify-1']);

    const removals = await sweeps();
    expect(removals).to.have.lengthOf(100);
    for (const { name, body } of removals) {
      expect(body).to.have.nested.property('preconditions.uid', uids.get(name));
    }
    const read = (await calls({ verb: 'get', resource: 'pods' })).map(({ name }) => name);
    expect(read.toSorted()).to.deep.equal(
      [...Array(100).keys()].map((number) => `gone-${number}`).toSorted(),
    );
    for (const [at, removal] of removals.entries()) {
      const earlier = removals[at - 20];
      // What is a second apart where it is sent may be less so where it arrives.
      if (earlier !== undefined) expect(removal.at - earlier.at).to.be.at.least(700);
    }
  });

  it('GC-4, B32: removes the reports of evicted and completed pods, which count for nothing', async () => {
    const pods = await stage.makePods('ratify-1', 'ratify-2', 'ratify-3', 'ratify-4');
    await Promise.all(pods.map((pod) => stage.report(pod, ref)));
    await stage.start(...QUICK);
    await stage.shows(ref, ({ builds }) => builds === '4/4');
    const [first = pods[0], second = pods[0]] = pods;
    if (first === undefined || second === undefined) throw new Error('there are pods');
    await controlPlane().setPodStatus(first, { phase: 'Failed', reason: 'Evicted' });
    await controlPlane().setPodStatus(second, { phase: 'Succeeded' });
    await stage.shows(ref, ({ builds }) => builds === '2/2');
    await waitUntil(async () => (await left()).length === 2, { what: 'the end of two reports' });
    expect(await left()).to.deep.equal(['ratify-3', 'ratify-4']);
    // A late word of a pod that is over changes nothing, and goes as well.
    await stage.report(first, ref, { error: 'too late' });
    await waitUntil(async () => (await sweeps()).length === 3, { what: 'a third removal' });
    await stage.ready(ref, 'True/BuildsInAllPods');
  });

  it('GC-2: removes what is left about executors that went while their writers were down', async () => {
    const pod = await stage.makePod({ name: 'ratify-1' });
    const gone = [1, 2, 3, 4, 5].map((number) => refOf(`swept-${number}`));
    for (const one of [...gone, ref]) {
      await stage.apply(one);
      await stage.report(pod, one);
    }
    await Promise.all(gone.map((one) => stage.remove(one)));
    await stage.start(...QUICK);
    await waitUntil(async () => (await left()).length === 1, { what: 'the end of five reports' });
    expect((await leftReports()).map(({ spec }) => spec.executorRef.name)).to.deep.equal(['swept']);
  });

  it('GC-3: keeps the reports of pods that its selector does not choose', async () => {
    await stage.report(await stage.makePod({ name: 'other', labels: { app: 'other' } }), ref);
    await makeOrphans(1);
    await stage.start(...QUICK);
    await waitUntil(async () => (await left()).length === 1, { what: 'the end of the orphan' });
    // Once it was asked for, it has been judged.
    await controlPlane().audit.waitFor({ user: stage.user, verb: 'get', resource: 'pods', name: 'other' });
    expect(await left()).to.deep.equal(['other']);
  });

  it('GC-3: lists orphans only, once each, with --sweep=dry-run', async () => {
    await makeOrphans(3);
    const aggregator = await stage.start(...QUICK, '--sweep=dry-run');
    const told = () => aggregator.logs().filter(({ msg }) => msg === 'would remove an orphaned report');
    await waitUntil(() => told().length === 3, { what: 'three lines' });
    await waitUntil(async () => (await orphans(aggregator)) === 3, { what: 'the metric' });
    expect(told().map(({ pod }) => pod)).to.have.members(['gone-0', 'gone-1', 'gone-2']);
    expect(await left()).to.have.lengthOf(3);
    expect(told()).to.have.lengthOf(3);
  });

  it('GC-3: removes nothing with --sweep=off', async () => {
    await makeOrphans(1);
    await stage.start(...QUICK, '--sweep=off');
    await stage.ready(ref, 'Unknown/NoPods');
    // Another one sweeps: by then this one would have as well.
    await stage
      .start(...QUICK, '--sweep=dry-run')
      .then((other) => waitUntil(async () => (await orphans(other)) === 1, { what: 'an orphan' }));
    expect(await sweeps()).to.deep.equal([]);
  });

  it('B01: leaves no more reports than pods and executors, however often pods are replaced', async () => {
    await stage.start(...QUICK);
    for (let round = 0; round < 4; round++) {
      const pods = await stage.makePods(...[0, 1, 2].map((number) => `ratify-${round}-${number}`));
      await Promise.all(pods.map((pod) => stage.report(pod, ref)));
      // The next ones arrive while these are on their way out; the last ones stay.
      if (round < 3) await Promise.all(pods.map((pod) => controlPlane().removePod(pod)));
    }
    await makeOrphans(5);
    const settled = async () => (await left()).every((name) => name.startsWith('ratify-3-'));
    await waitUntil(settled, { what: 'the end of all but the last reports' });
    expect(await left()).to.have.lengthOf(3);
    await stage.shows(ref, ({ builds, byPod = [] }) => builds === '3/3' && byPod.length === 3);
  });
});

const orphans = (one: AppProcess) => metric(one, 'executor_status_orphans');

async function reportsIn(
  { admin }: ControlPlane,
  namespace: string,
): Promise<readonly (ApiObject & ExecutorPodStatus)[]> {
  const { items } = await admin.call<ApiObject & { items: readonly (ApiObject & ExecutorPodStatus)[] }>(
    `GET ${reportsPath(namespace)}`,
  );
  return items;
}

/** Ten at once. */
async function inTurns(count: number, work: (number: number) => Promise<void>): Promise<void> {
  const lanes = Array.from({ length: 10 }, async (_, lane) => {
    for (let number = lane; number < count; number += 10) await work(number);
  });
  await Promise.all(lanes);
}

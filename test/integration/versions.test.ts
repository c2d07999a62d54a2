import type { ExecutorPodStatus, ExecutorRef, ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import { readCrd } from '../contract/crd-schema.ts';
import { type ReportFields, report } from '../support/builders.ts';
import {
  APPLY_PATCH,
  type ApiObject,
  type ControlPlane,
  type Manifest,
  type Pod,
  startControlPlane,
} from '../support/control-plane.ts';
import { newerReport, newerStatus, olderReport } from '../support/other-versions.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';
import { WriterFleet } from './writer-fleet.ts';

/** A schema that can be changed. */
type Loose = Record<string, unknown> & {
  properties?: Record<string, Loose>;
  items?: Loose;
};

type Crd = Manifest & { spec: { versions: [{ schema: { openAPIV3Schema: Loose } }] } };

const KEEP_UNKNOWN = { 'x-kubernetes-preserve-unknown-fields': true };

describe('writers, aggregators and CRDs of different versions', function () {
  this.timeout(120_000);
  // Its own, because its CRDs are of other versions.
  let controlPlane: ControlPlane;

  before(async function () {
    this.timeout(20 * 60_000);
    controlPlane = await startControlPlane();
    for (const plural of ['executors', 'namespacedexecutors'])
      await controlPlane.apply([(await readCrd(`${plural}.yaml`)) as unknown as Crd]);
  });
  after(() => controlPlane?.stop());

  /** Puts a CRD of the project in place, changed as if it were of another version. */
  async function putCrd(file: string, change: (status: Loose, spec: Loose) => void): Promise<void> {
    const crd = structuredClone(await readCrd(file)) as unknown as Crd;
    const { status, spec } = crd.spec.versions[0].schema.openAPIV3Schema.properties ?? {};
    if (status === undefined || spec === undefined) throw new Error(`${file} has a spec and a status`);
    change(status, spec);
    await controlPlane.apply([crd]);
  }

  it('UP-1, AP-7: a writer stores what an older report CRD has, and all of it once the CRD is of its version', async () => {
    await using fleet = await WriterFleet.install(controlPlane);
    await putCrd('executorpodstatuses.yaml', ({ properties = {} }) => {
      for (const field of ['writerVersion', 'lastSucceededGeneration', 'warnings', 'materialDigest'])
        delete properties[field];
    });
    const ref = refOf('under-an-older-crd');
    await fleet.apply(ref);
    const pod = await fleet.makePod();
    await fleet.start(pod, { flags: ['--resync=1s'] });
    const older = await fleet.reported(pod, ref);
    expect(older.status).to.include({ succeeded: true, reason: 'Built', executorGeneration: 1 });
    expect(older.status).not.to.have.any.keys('writerVersion', 'lastSucceededGeneration');
    await putCrd('executorpodstatuses.yaml', () => {});
    const full = await fleet.reported(pod, ref, ({ status }) => status?.writerVersion !== undefined);
    expect(full.status).to.include({ succeeded: true, lastSucceededGeneration: 1 });
  });

  it('UP-1: an aggregator is right about writers of its version, of the one before and of the one after', async () => {
    await using stage = await AggregatorStage.install(controlPlane);
    await putCrd('executorpodstatuses.yaml', (status, spec) => {
      const { warnings, material, lastTransitionTime } = status.properties ?? {};
      // The first version took an empty time.
      delete lastTransitionTime?.['format'];
      for (const part of [spec, status, warnings?.items, material?.items])
        Object.assign(part ?? {}, KEEP_UNKNOWN);
    });
    const [older, same, newer] = await stage.makePods('ratify-older', 'ratify-same', 'ratify-newer');
    if (older === undefined || same === undefined || newer === undefined)
      throw new Error('there are three pods');
    await stage.start('--success-hold=0s');
    const ref = refOf('of-three-versions');
    await stage.apply(ref);
    await store(stage, older, ref, { as: olderReport });
    await stage.report(same, ref);
    const stored = await store(stage, newer, ref, { as: newerReport });
    expect(JSON.stringify(stored), 'the API server keeps what is newer').to.contain('newerField');
    const good = await stage.ready(ref, 'True/BuildsInAllPods');
    expect(good).to.deep.include({ builds: '3/3', succeeded: true });

    const failure = { error: 'no key', briefError: 'no key', succeeded: false };
    await store(stage, newer, ref, { ...failure, as: (one) => newerReport(one, 'QuotaExceeded') });
    const bad = await stage.ready(ref, 'False/PodsFailed');
    expect(bad).to.include({ builds: '2/3', error: '1/3 replicas unhealthy: no key (ratify-newer)' });
    expect(bad.errorGroups?.[0]).to.include({ reason: 'QuotaExceeded', count: 1 });
    expect(bad.byPod?.[0]).to.include({ id: 'ratify-newer', reason: 'QuotaExceeded' });

    await store(stage, older, ref, { ...failure, reason: 'BuildFailed', as: olderReport });
    await stage.shows(ref, ({ builds }) => builds === '1/3');
    await store(stage, older, ref, { as: olderReport });
    await store(stage, newer, ref, { as: newerReport });
    await stage.ready(ref, 'True/BuildsInAllPods');
  });

  it('UP-1: an aggregator takes over from one of the version after, and the reverse, by one write each', async () => {
    await using stage = await AggregatorStage.install(controlPlane);
    await putCrd('executors.yaml', ({ properties = {} }) => {
      properties['newerField'] = { type: 'string' };
    });
    const ref = refOf('handed-over');
    await stage.apply(ref);
    await stage.report(await stage.makePod({ name: 'ratify-1' }), ref);
    const first = await stage.start();
    const right = await stage.ready(ref, 'True/BuildsInAllPods');
    await first.stop();

    await writeAs(stage, ref, newerStatus(right));
    expect(JSON.stringify((await stage.executor(ref)).status))
      .to.contain('BudgetSpent')
      .and.contain('newerField');
    const since = await controlPlane.audit.mark();
    const second = await stage.start();
    const after = await stage.shows(
      ref,
      ({ conditions = [] }) => conditions.length === right.conditions?.length,
    );
    expect(after).to.deep.equal(right);
    await second.stop();
    // One that remembers nothing has nothing to write either, by the time it has written something else.
    const third = await stage.start();
    const fence = refOf('handed-over-fence');
    await stage.apply(fence);
    await stage.shows(fence, ({ conditions = [] }) => conditions.length > 0);
    expect(await stage.writes({ since, name: ref.name })).to.have.lengthOf(1);
    await third.stop();

    // The version before knew less: no groups of warnings and no figures, and a condition less.
    const { podCounts: _counts, warningGroups: _groups, builds: _builds, ...less } = right;
    await writeAs(stage, ref, less);
    const upgraded = await controlPlane.audit.mark();
    await stage.start();
    expect(await stage.shows(ref, ({ builds }) => builds === '1/1')).to.deep.equal(right);
    expect(await stage.writes({ since: upgraded, name: ref.name })).to.have.lengthOf(1);
  });

  /** Stores the report of `pod` as a writer of another version would. */
  async function store(
    stage: AggregatorStage,
    pod: Pod,
    ref: ExecutorRef,
    { as, ...fields }: ReportFields & { readonly as: (report: ExecutorPodStatus) => object },
  ): Promise<ApiObject> {
    const { uid, generation = 0 } = (await stage.executor(ref)).metadata;
    const said = { executorRef: ref, executorUID: uid, executorGeneration: generation, ...fields };
    const wanted = report({ pod: pod.name, podUID: pod.uid, namespace: pod.namespace, ...said });
    const { status, ...object } = as(wanted) as ExecutorPodStatus;
    const { uid: _uid, resourceVersion: _version, ...metadata } = object.metadata;
    const path = `${reportsPath(pod.namespace)}/${metadata.name}`;
    const { admin } = controlPlane;
    const query = { fieldManager: 'executor-writer', force: true };
    await admin.call(`PATCH ${path}`, { ...object, metadata }, { query, contentType: APPLY_PATCH });
    const { apiVersion, kind } = object;
    const named = { apiVersion, kind, metadata: { name: metadata.name }, status };
    // The API server goes on for a moment with the schema that a CRD had before.
    return waitUntil(
      () => admin.call<ApiObject>(`PATCH ${path}/status`, named, { query, contentType: APPLY_PATCH }),
      { what: `the status of ${metadata.name} to be taken` },
    );
  }

  /** Stores a status under the name of the aggregators of `stage`. */
  async function writeAs(stage: AggregatorStage, ref: ExecutorRef, status: ExecutorStatus): Promise<void> {
    const { apiVersion, kind } = await stage.executor(ref);
    await controlPlane.admin.call(
      `PATCH ${stage.path(ref)}/status`,
      { apiVersion, kind, metadata: { name: ref.name }, status },
      {
        query: { fieldManager: `status-aggregator/${stage.namespace}`, force: true },
        contentType: APPLY_PATCH,
      },
    );
  }
});

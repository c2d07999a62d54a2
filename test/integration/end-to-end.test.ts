import {
  EXECUTOR_GROUP,
  EXECUTOR_PLURALS,
  type Executor,
  type ExecutorRef,
  type ExecutorStatus,
  REPORT_PLURAL,
} from '@executor-status/api';
import { expect } from 'chai';
import type { AuditMark } from '../support/control-plane.ts';
import { podNameOf } from '../support/control-plane.ts';
import { AGGREGATOR_ACCOUNT, NAMESPACE, type Stage, setStage } from '../support/stage.ts';
import { waitUntil } from '../support/wait-until.ts';
import { executorManifest, executorPath, refOf } from './executor-manifest.ts';
import { metric } from './writer-probes.ts';

const WRITES = ['create', 'update', 'patch', 'delete'];

for (const pods of [1, 3, 10]) {
  describe(`the whole system with ${pods} Ratify pods and two aggregators (C6)`, () => scenarios(pods));
}

function scenarios(pods: number): void {
  let stage: Stage;

  before(async function () {
    this.timeout(20 * 60_000);
    stage = await setStage({ pods, exampleFiles: true, log: () => undefined });
  });
  after(async function () {
    this.timeout(60_000);
    await stage[Symbol.asyncDispose]();
  });

  const path = (ref: ExecutorRef) => executorPath(ref, EXECUTOR_GROUP);
  const read = (ref: ExecutorRef) => stage.controlPlane.admin.call<Executor>(`GET ${path(ref)}`);
  const builds = async () =>
    (await Promise.all(stage.writers.map(({ app }) => metric(app, 'executor_builds_total')))).reduce(
      (a, b) => a + b,
    );

  async function apply(ref: ExecutorRef, fields: Parameters<typeof executorManifest>[2] = {}): Promise<void> {
    await stage.controlPlane.apply([executorManifest(ref, EXECUTOR_GROUP, fields)]);
  }

  /** Waits until the status speaks of the newest generation, which all pods have reported. */
  async function settled(ref: ExecutorRef): Promise<ExecutorStatus> {
    const expected = stage.writers.length;
    return await waitUntil(
      async () => {
        const { metadata, status } = await read(ref);
        const counts = status?.podCounts;
        const done = status?.observedGeneration === metadata.generation && counts?.expected === expected;
        return done && counts?.upToDate === expected ? status : undefined;
      },
      { what: `the settled status of ${ref.name}`, deadlineMs: 30_000 },
    );
  }

  /** Waits until the condition Ready has this status and reason. */
  async function ready(ref: ExecutorRef, wanted: string): Promise<void> {
    await waitUntil(async () => conditions((await read(ref)).status).Ready === wanted, {
      what: `Ready ${wanted} of ${ref.name}`,
      deadlineMs: 30_000,
    });
  }

  const reportWrites = (since: AuditMark) =>
    stage.controlPlane.audit.entries({ resource: REPORT_PLURAL, verb: WRITES, since });
  const statusWrites = (since: AuditMark) =>
    stage.controlPlane.audit.entries({
      resource: Object.values(EXECUTOR_PLURALS),
      subresource: 'status',
      verb: WRITES,
      user: `system:serviceaccount:${NAMESPACE}:${AGGREGATOR_ACCOUNT}`,
      since,
    });

  const POLICY = refOf('policy');

  it('tells of a new executor that it builds in every pod (S2, AG-4)', async () => {
    await apply(POLICY);
    const status = await settled(POLICY);
    expect(status).to.include({ succeeded: true, error: '', builds: `${pods}/${pods}` });
    expect(conditions(status)).to.deep.include({ Ready: 'True/BuildsInAllPods' });
  });

  it('costs one build and one report a pod, three status writes at most and no conflict for an edit (S1, SC-2)', async () => {
    const [built, since] = [await builds(), await stage.controlPlane.audit.mark()];
    await apply(POLICY, { scope: 'edited.example' });
    expect(await settled(POLICY)).to.include({ succeeded: true });
    expect((await builds()) - built).to.equal(pods);
    expect(await reportWrites(since)).to.have.length(pods);
    const writes = await statusWrites(since);
    expect(writes.length).to.be.within(1, 3);
    expect([...(await reportWrites(since)), ...writes].map(({ code }) => code)).to.not.include(409);
  });

  it('builds and reports nothing because of foreign status writes (S4, P2)', async () => {
    const [built, since] = [await builds(), await stage.controlPlane.audit.mark()];
    for (let at = 0; at < 50; at++) {
      await stage.controlPlane.admin.call(`PATCH ${path(POLICY)}/status`, {
        status: { briefError: String(at) },
      });
    }
    // What comes after them has been seen by every pod when it is reported.
    await apply(refOf('fence'));
    await settled(refOf('fence'));
    expect((await builds()) - built).to.equal(pods);
    expect((await reportWrites(since)).filter(({ name }) => name.endsWith('-policy'))).to.deep.equal([]);
  });

  it('says in which pods an executor does not build, and why, without flapping (P4, B09, C5)', async () => {
    const files = refOf('files');
    await apply(files, { files: ['/usr/local/notation/certs'] });
    const bad = stage.writers.map(({ pod }) => pod.name).filter((name) => /-[24]$/.test(name));
    const status = await settled(files);
    expect(status.builds).to.equal(`${pods - bad.length}/${pods}`);
    expect(status.errorGroups?.map(({ count, examplePods }) => [count, examplePods])).to.deep.equal(
      bad.length === 0 ? [] : [[bad.length, bad]],
    );
    expect(status.error).to.match(
      bad.length === 0 ? /^$/ : new RegExp(`^${bad.length}/${pods} replicas unhealthy: `),
    );
    expect(status.briefError === '').to.equal(status.error === '');
    const since = await stage.controlPlane.audit.mark();
    await apply(refOf('fence'), { scope: 'fence-again.example' });
    await settled(refOf('fence'));
    expect((await statusWrites(since)).filter(({ name }) => name === 'files')).to.deep.equal([]);
    // It holds back the others of its set while it fails, and no longer.
    if (bad.length > 0) await ready(POLICY, 'False/BlockedBySibling');
    await stage.controlPlane.admin.call(`DELETE ${path(files)}`);
    await ready(POLICY, 'True/BuildsInAllPods');
  });

  it('asks nothing about the status of a deleted executor, and leaves no report of it (S3)', async () => {
    const { audit, admin, kubectl } = stage.controlPlane;
    const since = await audit.mark();
    await admin.call(`DELETE ${path(POLICY)}`);
    await waitUntil(
      async () => {
        const { stdout } = await kubectl('get', 'exps', '-A', '-o', 'name');
        return !stdout.includes('-policy');
      },
      { what: 'the end of the reports' },
    );
    await apply(refOf('fence'), { scope: 'fence-last.example' });
    await settled(refOf('fence'));
    const asked = await audit.entries({
      resource: 'executors',
      subresource: 'status',
      name: 'policy',
      since,
    });
    expect(asked).to.deep.equal([]);
  });

  it('has one writer of statuses, the leader of the two aggregators (HA-1, R3)', async () => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/status-aggregator`;
    const lease = await stage.controlPlane.admin.call<{ spec: { holderIdentity: string } }>(`GET ${path}`);
    const [holder] = lease.spec.holderIdentity.split('_');
    const writes = await statusWrites(0 as AuditMark);
    const writers = writes.map(podNameOf);
    expect([...new Set(writers)]).to.deep.equal([holder]);
  });
}

function conditions(status: ExecutorStatus | undefined): Record<string, string> {
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status: value, reason }) => [type, `${value}/${reason}`]),
  );
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newExecutorPodStatus, POD_UID_LABEL, REPORT_PLURAL, reportName } from '@executor-status/api';
import { expect } from 'chai';
import type { Pod } from '../support/control-plane.ts';
import { proxyFor } from '../support/fault-proxy.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refOf } from './executor-manifest.ts';
import { WriterFleet } from './writer-fleet.ts';

/** How often a container is restarted, and a writer killed; the lines ask for 20 and 100. */
const RESTARTS = Number(process.env['LIFE_RESTARTS'] ?? 3);
const KILLS = Number(process.env['LIFE_KILLS'] ?? 2);

describe('the reports of an executor-writer', function () {
  this.timeout(90_000 + (RESTARTS + KILLS) * 10_000);
  const controlPlane = useControlPlane();
  let fleet: WriterFleet;
  let names = 0;

  before(async () => {
    fleet = await WriterFleet.install(controlPlane());
  });
  afterEach(() => fleet.stopWriters());
  after(() => fleet[Symbol.asyncDispose]());

  /** A new executor, and a pod whose writer has reported on it. */
  async function reported(flags: readonly string[] = []) {
    const ref = refOf(`life-${++names}`);
    const folder = await fleet.folder();
    await fleet.apply(ref, { files: [folder] });
    const pod = await fleet.makePod();
    await fleet.start(pod, { flags });
    return { ref, pod, folder, report: await fleet.reported(pod, ref) };
  }

  it('are owned by the pod, and go with it (GC-1)', async () => {
    const { ref, pod, report } = await reported();
    expect(report.metadata.ownerReferences).to.deep.equal([
      { apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid },
    ]);
    expect(report.metadata.labels).to.deep.equal({ [POD_UID_LABEL]: pod.uid });
    await fleet.writer(pod).stop();
    await controlPlane().removePod(pod);
    await fleet.unreported(pod, ref);
  });

  it('are kept over restarts of the container: same object, no write (WP-12, WP-2, S6)', async () => {
    const { ref, pod, report, folder } = await reported();
    await writeFile(join(folder, 'broken.crt'), 'no certificate');
    const failed = await fleet.reported(pod, ref, ({ status }) => status?.succeeded === false);
    const since = await controlPlane().audit.mark();
    for (let restart = 0; restart < RESTARTS; restart++) {
      await fleet.start(pod);
      // Made after the start: when it is reported, everything that was there before has been looked at.
      const fence = refOf(`life-restart-${restart}`);
      await fleet.apply(fence);
      await fleet.reported(pod, fence);
    }
    expect(await fleet.report(pod, ref)).to.deep.equal(failed);
    expect(failed.metadata.uid).to.equal(report.metadata.uid);
    expect(await fleet.writes({ since, name: failed.metadata.name })).to.deep.equal([]);
  });

  it('get their status when a writer is killed between the two writes (WP-5, B20)', async () => {
    const proxied = await proxyFor(controlPlane());
    await using proxy = proxied.proxy;
    await using killed = await WriterFleet.install(proxied.controlPlane);
    const pod = await killed.makePod();
    for (let kill = 0; kill < KILLS; kill++) {
      const ref = refOf(`life-killed-${kill}`);
      const match = { verb: 'patch', subresource: 'status', name: reportName(pod.name, ref) };
      const held = proxy.fault({ kind: 'delay', ms: 600_000, match });
      const writer = await killed.start(pod);
      await killed.apply(ref, { scope: `killed-${kill}.example` });
      await waitUntil(() => held.hits > 0, { what: 'the write of a status' });
      writer.kill('SIGKILL');
      await writer.exited;
      const made = await killed.report(pod, ref);
      expect(made?.status).to.equal(undefined, 'what it would have said is not there');
      await proxy.heal();
      await killed.start(pod);
      const report = await killed.reported(pod, ref);
      expect(report.status?.succeeded).to.equal(true);
      expect(report.metadata.uid).to.equal(made?.metadata.uid);
    }
  });

  it('get their status when they were left without one (WP-5, B20)', async () => {
    const ref = refOf('life-interrupted');
    const pod = await fleet.makePod();
    const { metadata, ...object } = newExecutorPodStatus(pod, ref);
    await controlPlane().apply([
      { ...object, metadata: { ...metadata, name: metadata.name, namespace: fleet.namespace } },
    ]);
    await fleet.apply(ref);
    const { metadata: before } = (await fleet.report(pod, ref)) ?? {};
    await fleet.start(pod);
    const report = await fleet.reported(pod, ref);
    expect(report.metadata.uid).to.equal(before?.uid);
  });

  it('of executors that went while the writer was down are removed at its start (WP-12, FB-4, S3)', async () => {
    const { ref, pod } = await reported();
    await fleet.writer(pod).stop();
    await fleet.remove(ref);
    await fleet.start(pod);
    await fleet.unreported(pod, ref);
  });

  it('begin anew with an executor that was made anew while the writer was down (ID-5)', async () => {
    const { ref, pod } = await reported();
    await fleet.writer(pod).stop();
    await fleet.remove(ref);
    const { metadata } = await fleet.apply(ref);
    await fleet.start(pod);
    const { status } = await fleet.reported(pod, ref, ({ status }) => status?.executorUID === metadata.uid);
    expect(status?.executorGeneration).to.equal(1);
  });

  it('are not made any more after SIGTERM (WP-12)', async () => {
    const { pod } = await reported();
    const writer = fleet.writer(pod);
    writer.kill('SIGTERM');
    const late = Array.from({ length: 5 }, (_, at) => refOf(`life-late-${at}`));
    await Promise.all(late.map((one) => fleet.apply(one)));
    expect(await writer.exited).to.deep.include({ code: 0 });
    expect(await Promise.all(late.map((ref) => fleet.report(pod, ref)))).to.deep.equal(
      late.map(() => undefined),
    );
  });

  it('that were edited or deleted are repaired at the next look, with their history (RP-10)', async () => {
    const { ref, pod, report } = await reported(['--resync=200ms']);
    const path = fleet.reportPath(pod, ref);
    await controlPlane().admin.call(`PATCH ${path}/status`, {
      status: { succeeded: false, reason: 'BuildFailed', lastTransitionTime: '2001-01-01T00:00:00Z' },
    });
    await controlPlane().admin.call(`PATCH ${path}`, {
      metadata: { labels: { [POD_UID_LABEL]: null }, ownerReferences: [] },
    });
    const repaired = await fleet.reported(
      pod,
      ref,
      ({ status, metadata }) => status?.succeeded === true && metadata.ownerReferences?.length === 1,
    );
    expect(repaired.status).to.deep.equal(report.status);
    expect(repaired.metadata.labels).to.deep.equal(report.metadata.labels);
    await controlPlane().admin.call(`DELETE ${path}`);
    const made = await fleet.reported(pod, ref);
    expect(made.metadata.uid).not.to.equal(report.metadata.uid);
    expect(made.status).to.deep.equal(report.status);
  });

  it('are looked at without a build or a write (S5, RP-10)', async () => {
    const { ref, pod, report } = await reported(['--resync=100ms']);
    const { name } = report.metadata;
    const since = await controlPlane().audit.mark();
    const builds = await fleet.builds(pod);
    const looks = () => controlPlane().audit.count({ since, verb: 'get', resource: REPORT_PLURAL, name });
    await waitUntil(async () => (await looks()) >= 10, { what: 'ten looks' });
    expect(await fleet.builds(pod)).to.equal(builds);
    expect(await fleet.writes({ since, name })).to.deep.equal([]);
    expect(await fleet.report(pod, ref)).to.deep.equal(report);
  });

  it('are not made again at once when somebody deletes them again and again (ID-9)', async () => {
    const { ref, pod } = await reported(['--resync=100ms']);
    const { name } = (await fleet.reported(pod, ref)).metadata;
    for (let round = 0; round < 5; round++) {
      await fleet.reported(pod, ref);
      await controlPlane().admin.call(`DELETE ${fleet.reportPath(pod, ref)}`);
    }
    const since = await controlPlane().audit.mark();
    const misses = () => controlPlane().audit.count({ since, verb: 'get', name, code: 404 });
    await waitUntil(async () => (await misses()) >= 5, { what: 'five looks that find nothing' });
    expect(await fleet.report(pod, ref)).to.equal(undefined);
    expect(await fleet.writes({ since, name, code: 201 })).to.deep.equal([]);
  });

  it('have a name and labels that Kubernetes takes, however long the names are (B04, ID-2, ID-4)', async () => {
    const longest = (text: string) => `${text}${'-a.b'.repeat(63)}`.slice(0, 253);
    const [long, short] = [refOf(longest('e')), refOf('life-short')];
    await Promise.all([long, short].map((ref) => fleet.apply(ref, { scope: `${ref.name.length}.example` })));
    for (const name of [longest('p'), 'p'.padEnd(63, 'p'), 'p'.padEnd(64, 'p'), 'p'.padEnd(100, 'p')]) {
      const pod = await fleet.makePod({ name });
      await fleet.start(pod);
      for (const ref of [long, short]) {
        const { spec, metadata } = await fleet.reported(pod, ref);
        expect(spec).to.deep.include({ executorRef: ref, pod: { name, uid: pod.uid } });
        expect(metadata.name.length).to.be.at.most(253);
      }
      await fleet.stopWriters();
    }
  });

  it('replace those of a predecessor of the same name, which no uid fits (ID-6, B29)', async () => {
    const ref = refOf('life-stateful');
    await fleet.apply(ref);
    const name = 'ratify-0';
    const stale = newExecutorPodStatus(
      { namespace: fleet.namespace, name, uid: 'uid-of-an-earlier-pod' },
      ref,
    );
    // Without its owner, so that the garbage collector does not come first.
    const { ownerReferences: _, ...metadata } = stale.metadata;
    await controlPlane().apply([{ ...stale, metadata: { ...metadata, namespace: fleet.namespace } }]);
    const old = await fleet.report({ name } as Pod, ref);
    const since = await controlPlane().audit.mark();
    const pod = await fleet.makePod({ name });
    await fleet.start(pod);
    const report = await fleet.reported(pod, ref);
    expect(report.metadata.ownerReferences).to.have.nested.property('[0].uid', pod.uid);
    expect(report.spec.pod.uid).to.equal(pod.uid);
    const writes = await fleet.writes({ since, name: report.metadata.name });
    expect(writes.map(({ verb, subresource }) => [verb, subresource])).to.deep.equal([
      ['delete', ''],
      ['patch', ''],
      ['patch', 'status'],
    ]);
    expect(writes[0]?.body).to.have.nested.property('preconditions.uid', old?.metadata.uid);
  });

  it('outlive the garbage collector when a pod takes the name of another (ID-6, B29)', async () => {
    const ref = refOf('life-stateful-gc');
    await fleet.apply(ref);
    let pod = await fleet.makePod({ name: 'ratify-1' });
    await fleet.start(pod);
    await fleet.reported(pod, ref);
    for (let round = 0; round < 3; round++) {
      await fleet.writer(pod).stop();
      await controlPlane().removePod(pod);
      pod = await fleet.makePod({ name: 'ratify-1' });
      await fleet.start(pod);
      const { uid } = pod;
      await fleet.reported(pod, ref, ({ spec, status }) => spec.pod.uid === uid && status !== undefined);
      await garbageCollected(uid);
      expect(await fleet.report(pod, ref)).to.have.nested.property('metadata.ownerReferences[0].uid', uid);
    }
  });

  /** Waits until the garbage collector has dealt with something that came after everything so far. */
  async function garbageCollected(id: string): Promise<void> {
    const name = `litter-${id}`;
    const path = `/api/v1/namespaces/${fleet.namespace}/configmaps`;
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'gone', uid: `gone-${id}` };
    await controlPlane().admin.call(`POST ${path}`, { metadata: { name, ownerReferences: [owner] } });
    await waitUntil(async () => (await controlPlane().admin.request(`GET ${path}/${name}`)).code === 404, {
      what: 'the garbage collector',
    });
  }
});

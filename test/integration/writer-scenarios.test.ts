import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  EXECUTOR_KINDS,
  EXECUTOR_PLURALS,
  type ExecutorKind,
  type ExecutorRef,
  REFRESH_ANNOTATION,
  REPORT_PLURAL,
} from '@executor-status/api';
import { expect } from 'chai';
import type { ApiObject, AuditMark, Pod } from '../support/control-plane.ts';
import { podUidOf } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refOf } from './executor-manifest.ts';
import { WriterFleet } from './writer-fleet.ts';
import { metric } from './writer-probes.ts';

/** How many pods there are, and how many executors are edited how often; the line asks for 50, 20 and 10. */
const PODS = Number(process.env['SCENARIO_PODS'] ?? 5);
const EXECUTORS = Number(process.env['SCENARIO_EXECUTORS'] ?? 3);
const EDITS = Number(process.env['SCENARIO_EDITS'] ?? 2);

for (const kind of EXECUTOR_KINDS) {
  describe(`executor-writers of ${PODS} pods and each ${kind} (ID-8)`, function () {
    this.timeout(90_000 + PODS * EXECUTORS * EDITS * 1000);
    scenarios(kind);
  });
}

function scenarios(kind: ExecutorKind): void {
  const controlPlane = useControlPlane();
  let fleet: WriterFleet;
  let pods: readonly Pod[];
  let DEFAULT: ExecutorRef;
  let FENCE: ExecutorRef;

  const ref = (name: string) => refOf(name, kind === 'Executor' ? undefined : fleet.namespace);

  before(async () => {
    fleet = await WriterFleet.install(controlPlane());
    [DEFAULT, FENCE] = [ref('scenario'), ref('scenario-fence')];
    await fleet.apply(FENCE);
    pods = await fleet.startPods(PODS);
    await everyPod((pod) => fleet.reported(pod, FENCE));
  });
  after(() => fleet[Symbol.asyncDispose]());

  const everyPod = <T>(ask: (pod: Pod) => Promise<T>) => Promise.all(pods.map(ask));
  const builds = () => everyPod((pod) => fleet.builds(pod));

  /** Makes the executor of most scenarios, unless it is there, and waits until all pods have reported it. */
  async function present(): Promise<void> {
    const { metadata } = (await exists(DEFAULT)) ?? (await fleet.apply(DEFAULT));
    await everyPod((pod) =>
      fleet.reported(pod, DEFAULT, ({ status }) => status?.executorGeneration === metadata.generation),
    );
  }

  async function exists(ref: ExecutorRef): Promise<ApiObject | undefined> {
    const { code, body } = await controlPlane().admin.request(`GET ${fleet.path(ref)}`);
    return code === 200 ? body : undefined;
  }

  /** Edits an unrelated executor and waits until all pods say so: what came before has been seen by then. */
  async function fence(): Promise<void> {
    const { metadata } = await fleet.apply(FENCE, { scope: `fence-${Math.random()}.example` });
    await everyPod((pod) =>
      fleet.reported(pod, FENCE, ({ status }) => status?.executorGeneration === metadata.generation),
    );
  }

  /** What happened since a mark, the fence aside. */
  const writesSince = async (since: AuditMark) =>
    (await fleet.writes({ since })).filter(({ name }) => !name.includes('fence'));

  it('report a new executor, each once (S2, B05)', async () => {
    const [before, since] = [await builds(), await controlPlane().audit.mark()];
    await fleet.apply(DEFAULT);
    const reports = await everyPod((pod) => fleet.reported(pod, DEFAULT));
    expect(reports.map(({ status }) => status?.succeeded)).to.deep.equal(pods.map(() => true));
    expect(await builds()).to.deep.equal(before.map((count) => count + 1));
    const writes = await writesSince(since);
    expect(writes.map(({ code }) => code)).to.have.members([...pods.map(() => 200), ...pods.map(() => 201)]);
  });

  it('build an edited executor once each, and write once each (S1, FB-1, B05)', async () => {
    await present();
    const [before, since] = [await builds(), await controlPlane().audit.mark()];
    const { metadata } = await fleet.apply(DEFAULT, { scope: 'edited.example' });
    await everyPod((pod) =>
      fleet.reported(pod, DEFAULT, ({ status }) => status?.executorGeneration === metadata.generation),
    );
    expect(await builds()).to.deep.equal(before.map((count) => count + 1));
    const writes = await writesSince(since);
    expect(writes.map(({ subresource, code }) => [subresource, code])).to.deep.equal(
      pods.map(() => ['status', 200]),
    );
  });

  it('do nothing about 500 status writes, 500 labels and 500 other annotations (S4, FB-1)', async () => {
    await present();
    const [before, since] = [await builds(), await controlPlane().audit.mark()];
    const path = fleet.path(DEFAULT);
    // One after the other: the API server makes concurrent patches of one object wait for each other anyway.
    for (let at = 0; at < 500; at++) {
      const value = String(at);
      await controlPlane().admin.call(`PATCH ${path}/status`, { status: { succeeded: false, error: value } });
      await controlPlane().admin.call(`PATCH ${path}`, { metadata: { labels: { noise: value } } });
      await controlPlane().admin.call(`PATCH ${path}`, { metadata: { annotations: { noise: value } } });
    }
    await fence();
    expect(await builds()).to.deep.equal(
      before.map((count) => count + 1),
      'builds, that of the fence included',
    );
    expect(await writesSince(since)).to.deep.equal([]);
  });

  it('build again on a new refresh annotation, and write nothing when the verdict is the same (FB-7, WP-2)', async () => {
    await present();
    const [before, since] = [await builds(), await controlPlane().audit.mark()];
    for (const value of ['1', '2', '3']) {
      await controlPlane().admin.call(`PATCH ${fleet.path(DEFAULT)}`, {
        metadata: { annotations: { [REFRESH_ANNOTATION]: value } },
      });
      const wanted = before.map((count) => count + Number(value));
      await waitUntil(async () => String(await builds()) === String(wanted), {
        what: `${wanted.join(' ')} builds`,
      });
    }
    await fence();
    expect(await writesSince(since)).to.deep.equal([]);
  });

  it('wake for a changed file, and name it (C3, FB-7, B11)', async () => {
    const folder = await fleet.folder();
    const target = ref('scenario-files');
    await fleet.apply(target, { files: [folder] });
    const [pod] = pods as [Pod];
    await fleet.reported(pod, target, ({ status }) => status?.succeeded === true);
    await writeFile(join(folder, 'broken.crt'), 'no certificate');
    const { status } = await fleet.reported(pod, target, ({ status }) => status?.succeeded === false);
    expect(status).to.include({ reason: 'CredentialsInvalid', blocksSet: true, lastSucceededGeneration: 1 });
    expect(status?.error).to.include('FileCertificateInvalid').and.include('/broken.crt');
    expect(status?.briefError).to.include('/broken.crt');
  });

  it('judge an executor anew when a member of its set changes, and build only that member (C3)', async () => {
    const [first, second] = [ref('scenario-a'), ref('scenario-b')];
    await fleet.apply(first, { scope: 'shared.example' });
    await everyPod((pod) => fleet.reported(pod, first, ({ status }) => status?.succeeded === true));
    const before = await builds();
    await fleet.apply(second, { scope: 'shared.example' });
    const texts = await everyPod(async (pod) => {
      const conflicts = [first, second].map((target) =>
        fleet.reported(pod, target, ({ status }) => status?.reason === 'ConfigInvalid'),
      );
      return (await Promise.all(conflicts)).map(({ status }) => status?.error ?? '');
    });
    for (const [ofFirst = '', ofSecond = ''] of texts) {
      expect(ofFirst).to.include(second.name);
      expect(ofSecond).to.include(first.name);
    }
    await fleet.apply(second, { scope: 'own.example' });
    await everyPod((pod) => fleet.reported(pod, first, ({ status }) => status?.succeeded === true));
    expect(await builds()).to.deep.equal(before.map((count) => count + 2));
  });

  it('report nothing new about an executor that is being deleted, and remove the report when it is gone (FB-4)', async () => {
    const target = ref('scenario-held');
    await fleet.apply(target, { metadata: { finalizers: ['example.com/held'] } });
    await everyPod((pod) => fleet.reported(pod, target));
    const [before, since] = [await builds(), await controlPlane().audit.mark()];
    await fleet.remove(target);
    await fence();
    expect(await builds()).to.deep.equal(
      before.map((count) => count + 1),
      'builds, that of the fence included',
    );
    expect(await writesSince(since)).to.deep.equal([]);
    await controlPlane().admin.call(`PATCH ${fleet.path(target)}`, { metadata: { finalizers: null } });
    await everyPod((pod) => fleet.unreported(pod, target));
  });

  it('remove their reports of a deleted executor, and ask for nothing else (S3)', async () => {
    await present();
    const since = await controlPlane().audit.mark();
    await fleet.remove(DEFAULT);
    await everyPod((pod) => fleet.unreported(pod, DEFAULT));
    const writes = await writesSince(since);
    expect(writes.map(({ verb, code }) => [verb, code])).to.deep.equal(pods.map(() => ['delete', 200]));
    const uids = writes.map(({ body }) => (body as { preconditions?: { uid?: string } }).preconditions?.uid);
    expect(new Set(uids).size).to.equal(pods.length, 'each delete names the uid');
    await fence();
    expect(await writesSince(since)).to.have.length(pods.length);
  });

  it('start anew for an executor that was made anew under its name (ID-5, RP-7)', async () => {
    const target = ref('scenario-again');
    for (let round = 0; round < 5; round++) {
      const { metadata } = await fleet.apply(target);
      const reports = await everyPod((pod) =>
        fleet.reported(pod, target, ({ status }) => status?.executorUID === metadata.uid),
      );
      expect(reports.map(({ status }) => status?.executorGeneration)).to.deep.equal(pods.map(() => 1));
      await fleet.remove(target);
    }
    await everyPod((pod) => fleet.unreported(pod, target));
  });

  it('do nothing when another pod starts, which makes its own reports (S6)', async () => {
    await fence();
    const [before, since] = [await builds(), await controlPlane().audit.mark()];
    const newcomer = await fleet.makePod();
    await fleet.start(newcomer);
    await fleet.reported(newcomer, FENCE);
    expect(await builds()).to.deep.equal(before);
    const writes = await fleet.writes({ since });
    expect(new Set(writes.map(podUidOf))).to.deep.equal(new Set([newcomer.uid]));
    await fleet.writer(newcomer).stop();
  });

  it('report the last of many edits of many executors (WP-1)', async () => {
    const targets = Array.from({ length: EXECUTORS }, (_, at) => ref(`scenario-many-${at}`));
    for (let edit = 0; edit < EDITS; edit++) {
      await Promise.all(targets.map((one) => fleet.apply(one, { scope: `${one.name}-${edit}.example` })));
    }
    await everyPod((pod) =>
      Promise.all(
        targets.map((one) =>
          fleet.reported(pod, one, ({ status }) => status?.executorGeneration === EDITS && status.succeeded),
        ),
      ),
    );
  });

  it('have each written their own reports only, never an executor, and never met a conflict (WP-1)', async () => {
    const writes = await fleet.writes();
    expect(writes).not.to.be.empty;
    // Whose a report is stands in what it was made of, and nobody may make it anew.
    const owners = new Map<string, string | undefined>();
    for (const write of writes) {
      const { name, body, code, subresource } = write;
      // 504: the newcomer was stopped while a write of its own was open.
      expect(code < 300 || code === 504, `HTTP ${code}`).to.equal(true);
      const { spec } = body as { spec?: { pod: { uid: string } } };
      if (subresource === '' && spec !== undefined) {
        expect(owners.get(name) ?? spec.pod.uid, name).to.equal(spec.pod.uid);
        owners.set(name, spec.pod.uid);
      }
      expect(owners.get(name), `${name}, written before it was made`).to.be.a('string');
      expect(podUidOf(write), name).to.equal(owners.get(name));
    }
    const user = `system:serviceaccount:${fleet.namespace}:ratify`;
    const all = await controlPlane().audit.entries({ user });
    const elsewhere = all.filter(({ verb, resource }) => !READS.includes(verb) && resource !== REPORT_PLURAL);
    expect(new Set(elsewhere.map(({ resource }) => resource))).to.deep.equal(new Set(['selfsubjectreviews']));
    expect(
      all.filter(({ subresource, resource }) => subresource === 'status' && resource !== REPORT_PLURAL),
    ).to.deep.equal([]);
  });

  it('have never replaced a report as a whole, and have read executors one by one only when they changed (J17, RP-8)', async () => {
    const { audit } = controlPlane();
    const reports = { resource: REPORT_PLURAL, namespace: fleet.namespace };
    expect(await audit.entries({ ...reports, verb: 'update' })).to.deep.equal([], 'by anybody');
    expect(await fleet.writes({ verb: 'create' })).to.deep.equal([]);
    const user = `system:serviceaccount:${fleet.namespace}:ratify`;
    const watches = await audit.entries({ user, verb: 'watch' });
    expect(new Set(watches.map(({ resource }) => resource))).to.deep.equal(
      new Set(['executors', 'namespacedexecutors']),
    );
    const reads = await audit.entries({ user, verb: 'get', resource: EXECUTOR_PLURALS[kind], code: 200 });
    for (const pod of pods) {
      const changes = await metric(fleet.writer(pod), 'executor_builds_total\\{trigger="change"[^}]*\\}');
      const own = reads.filter((read) => podUidOf(read) === pod.uid);
      expect(own).to.have.length(changes, `reads of ${pod.name}, one for each change key`);
    }
  });

  it('have logged no error', () => {
    const errors = pods.flatMap((pod) =>
      fleet
        .writer(pod)
        .logs()
        .filter(({ level }) => level === 'error'),
    );
    expect(errors).to.deep.equal([]);
  });
}

const READS = ['get', 'list', 'watch'];

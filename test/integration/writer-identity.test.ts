import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTOR_KINDS, EXECUTOR_PLURALS } from '@executor-status/api';
import { expect } from 'chai';
import type { AppProcess } from '../support/app-process.ts';
import type { Pod } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { refOf } from './executor-manifest.ts';
import { WriterFleet, type WriterStart } from './writer-fleet.ts';
import { metric, probe } from './writer-probes.ts';

describe('an executor-writer that may not or cannot start', function () {
  this.timeout(90_000);
  const controlPlane = useControlPlane();
  let fleet: WriterFleet;
  let pod: Pod;

  before(async () => {
    fleet = await WriterFleet.install(controlPlane());
    await fleet.apply(refOf('identity'));
    pod = await fleet.makePod();
  });
  afterEach(() => fleet.stopWriters());
  after(() => fleet[Symbol.asyncDispose]());

  const parked = (writer: AppProcess, named: string) =>
    writer.waitForLog(
      ({ msg, error }) => String(msg).endsWith('parked') && JSON.stringify(error).includes(named),
    );

  const starts: Record<string, { named: string; start: () => Promise<WriterStart> }> = {
    'without POD_UID': { named: 'POD_UID is not set', start: async () => ({ env: { POD_UID: '' } }) },
    'under the name of another pod': {
      named: `POD_NAME is \\"ratify-other\\"`,
      start: async () => ({ env: { POD_NAME: 'ratify-other' } }),
    },
    'in another namespace': {
      named: `POD_NAMESPACE is \\"default\\"`,
      start: async () => ({ env: { POD_NAMESPACE: 'default' } }),
    },
    'with a token that is bound to no pod': {
      named: 'not bound to a pod',
      start: async () => ({ token: await controlPlane().accountToken(pod) }),
    },
    'with a flag that is wrong': { named: '--resync', start: async () => ({ flags: ['--resync=never'] }) },
    'with a flag that does not exist': {
      named: '--resink',
      start: async () => ({ flags: ['--resink=1s'] }),
    },
  };

  for (const [name, { named, start }] of Object.entries(starts)) {
    it(`parks ${name}: says why, lives, and writes nothing (ID-9, WP-13)`, async () => {
      const since = await controlPlane().audit.mark();
      const writer = await fleet.start(pod, await start());
      await parked(writer, named);
      expect((await probe(writer, '/livez')).status).to.equal(200);
      expect((await probe(writer, '/readyz')).status).to.equal(503);
      expect(await metric(writer, 'executor_status_parked')).to.equal(1);
      expect(await fleet.writes({ since })).to.deep.equal([]);
      expect(await writer.stop()).to.include({ code: 0 });
    });

    it(`ends ${name} with exit code 78 when told to (ID-9, WP-13)`, async () => {
      const options = await start();
      const flags = [...(options.flags ?? []), '--exit-on-misconfiguration'];
      const writer = await fleet.start(pod, { ...options, flags });
      expect(await writer.exited).to.include({ code: 78 });
      expect(writer.output().join('\n')).to.include(named);
    });
  }

  it('parks without its rights, and starts by itself when they are given (WP-13)', async () => {
    await using bare = await WriterFleet.withoutRights(controlPlane());
    const stranger = await bare.makePod();
    const writer = await bare.start(stranger);
    await parked(writer, 'bind the ClusterRole executor-writer');
    await bare.giveRights();
    expect((await bare.reported(stranger, refOf('identity'))).status?.succeeded).to.equal(true);
    expect(await metric(writer, 'executor_status_parked')).to.equal(0);
  });

  it('goes on when its Role is taken away, says what is missing, and catches up when it is back (WP-13)', async () => {
    await using torn = await WriterFleet.install(controlPlane());
    const ref = refOf('identity-torn');
    await torn.apply(ref);
    const owner = await torn.makePod();
    const writer = await torn.start(owner);
    await torn.reported(owner, ref);
    const binding = `/apis/rbac.authorization.k8s.io/v1/namespaces/${torn.namespace}/rolebindings/executor-writer`;
    await controlPlane().admin.call(`DELETE ${binding}`);
    const { metadata } = await torn.apply(ref, { scope: 'other.example' });
    const line = await writer.waitForLog(({ msg }) => msg === 'a right is missing; trying again');
    expect(line['remedy']).to.include('Role executor-writer');
    await torn.giveRights();
    await torn.reported(owner, ref, ({ status }) => status?.executorGeneration === metadata.generation);
    expect(await metric(writer, 'executor_status_write_failures_total')).to.be.above(0);
  });

  it('waits for executors of a kind that is not installed, under the group it was told (ID-8)', async function () {
    this.timeout(120_000);
    const group = 'config.ratify.dev';
    await using early = await WriterFleet.install(controlPlane(), group);
    const newcomer = await early.makePod();
    const writer = await early.start(newcomer);
    await writer.waitForLog(({ msg }) => String(msg).includes('not installed'));
    const names = EXECUTOR_KINDS.map((kind) => EXECUTOR_PLURALS[kind]);
    for (const name of names) await installExecutorCrd(name, group);
    const cluster = refOf('early');
    const namespaced = refOf('early', early.namespace);
    await Promise.all([cluster, namespaced].map((ref) => early.apply(ref)));
    const reports = await Promise.all([cluster, namespaced].map((ref) => early.reported(newcomer, ref)));
    const pack = (text: string) => text.replaceAll('-', '--');
    expect(reports.map(({ metadata }) => metadata.name)).to.deep.equal([
      `${pack(newcomer.name)}-early`,
      `${pack(newcomer.name)}-${pack(early.namespace)}-early`,
    ]);
    expect(reports.map(({ spec }) => spec.executorRef)).to.deep.equal([cluster, namespaced]);
    expect(writer.logs().filter(({ level }) => level === 'error')).to.deep.equal([]);
    await early.stopWriters();
    await Promise.all(names.map((name) => controlPlane().admin.call(`DELETE ${CRDS}/${name}.${group}`)));
  });

  async function installExecutorCrd(name: string, group: string): Promise<void> {
    const shipped = fileURLToPath(new URL(`../../crds/${name}.yaml`, import.meta.url));
    const file = join(controlPlane().directory, `${name}.${group}.yaml`);
    await writeFile(file, (await readFile(shipped, 'utf8')).replaceAll('config.ratify.sh', group));
    await controlPlane().apply(file);
  }
});

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

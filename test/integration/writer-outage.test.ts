import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type ControlPlane, type Pod, startControlPlane } from '../support/control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refOf } from './executor-manifest.ts';
import { WriterFleet } from './writer-fleet.ts';
import { probe } from './writer-probes.ts';

describe('an executor-writer and an API server that fails', function () {
  this.timeout(120_000);
  const ref = refOf('outage');
  let controlPlane: ControlPlane;
  let fleet: WriterFleet;
  let pod: Pod;
  let folder: string;

  before(async function () {
    this.timeout(20 * 60_000);
    controlPlane = await startControlPlane({ controllers: [] });
    for (const name of ['executors', 'namespacedexecutors']) await controlPlane.apply(crd(name));
    fleet = await WriterFleet.withoutRights(controlPlane);
    pod = await fleet.makePod();
    folder = await fleet.folder();
  });
  after(async () => {
    await fleet.stopWriters();
    await controlPlane.stop();
  });

  const crd = (name: string) => fileURLToPath(new URL(`../../crds/${name}.yaml`, import.meta.url));

  it('parks while the report CRD is missing, and starts by itself when it is there (WP-13)', async () => {
    await controlPlane.apply(RIGHTS(fleet.namespace));
    await fleet.apply(ref, { files: [folder] });
    const writer = await fleet.start(pod);
    await writer.waitForLog(({ error }) => JSON.stringify(error)?.includes('crds/executorpodstatuses.yaml'));
    expect((await probe(writer, '/livez')).status).to.equal(200);
    await controlPlane.apply(crd('executorpodstatuses'));
    expect((await fleet.reported(pod, ref)).status?.succeeded).to.equal(true);
  });

  it('stores the newest verdict after the API server was away, and never an older one (WP-4, J14)', async () => {
    const writer = fleet.writer(pod);
    const builds = await fleet.builds(pod);
    const since = await controlPlane.audit.mark();
    await controlPlane.apiServer.kill();
    await writeFile(join(folder, 'broken.crt'), 'no certificate');
    await waitUntil(async () => (await fleet.builds(pod)) === builds + 1, {
      what: 'a build of the broken file',
    });
    await writeFile(join(folder, 'more-broken.crt'), 'no certificate either');
    await waitUntil(async () => (await fleet.builds(pod)) === builds + 2, {
      what: 'a build of both broken files',
    });
    expect((await probe(writer, '/livez')).status).to.equal(200);
    await controlPlane.apiServer.start();
    const { status } = await fleet.reported(pod, ref, ({ status }) => status?.succeeded === false);
    expect(status?.reason).to.equal('CredentialsInvalid');
    const writes = await fleet.writes({ since, code: 200 });
    expect(writes.map(({ subresource }) => subresource)).to.deep.equal(['status']);
    expect(await fleet.builds(pod)).to.equal(builds + 2, 'a failed write is repeated as a write');
  });

  it('waits for an API server that is not there when it starts (WP-13)', async () => {
    const token = await controlPlane.podToken(pod);
    await controlPlane.apiServer.kill();
    const writer = await fleet.start(pod, { token });
    await writer.waitForLog(({ msg }) => msg === 'cannot start yet; trying again');
    expect((await probe(writer, '/livez')).status).to.equal(200);
    expect((await probe(writer, '/readyz')).status).to.equal(503);
    await controlPlane.apiServer.start();
    await waitUntil(async () => (await probe(writer, '/readyz')).status === 200, { what: 'a ready writer' });
    expect(writer.logs().filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('waits for the report CRD when it is removed, and makes its reports again when it is back (WP-13)', async () => {
    const writer = fleet.writer(pod);
    await controlPlane.admin.call(`DELETE ${REPORT_CRD}`);
    await waitUntil(async () => (await controlPlane.admin.request(`GET ${REPORT_CRD}`)).code === 404, {
      what: 'the end of the CRD',
    });
    const { metadata } = await fleet.apply(ref, { files: [folder], scope: 'after.example' });
    await writer.waitForLog(({ msg }) => msg === 'the report CRD is missing; trying again');
    await controlPlane.apply(crd('executorpodstatuses'));
    await fleet.reported(pod, ref, ({ status }) => status?.executorGeneration === metadata.generation);
    expect(writer.logs().filter(({ msg }) => msg === 'nobody handled an error')).to.deep.equal([]);
  });
});

const REPORT_CRD =
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/executorpodstatuses.status.ratify.sh';

/** The shipped rights are installed together with the CRDs, which shall be missing here. */
const RIGHTS = (namespace: string) => [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'everything' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'ratify', namespace }],
  },
];

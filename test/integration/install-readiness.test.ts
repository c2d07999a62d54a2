import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ControlPlane, type Pod, startControlPlane } from '../support/control-plane.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refOf } from './executor-manifest.ts';
import { WriterFleet } from './writer-fleet.ts';
import { probe } from './writer-probes.ts';

describe('the readiness of an executor-writer', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;
  let fleet: WriterFleet;
  let folder: string;
  let pod: Pod;

  // A control plane of its own: every Executor of the cluster counts.
  before(async () => {
    controlPlane = await startControlPlane({ manifests: PROJECT_CRDS });
    fleet = await WriterFleet.install(controlPlane);
    folder = await fleet.folder();
    pod = await fleet.makePod();
    await fleet.apply(refOf('first'), { files: [folder] });
  });

  after(async () => {
    await fleet?.stopWriters();
    await controlPlane?.stop();
  });

  const breakIt = () => writeFile(join(folder, 'broken.crt'), 'no certificate');
  const mendIt = () => rm(join(folder, 'broken.crt'));

  async function becomes(code: number, of: Pod = pod): Promise<void> {
    await waitUntil(async () => (await probe(fleet.writer(of), '/builds')).status === code, {
      what: `/builds to answer ${code}`,
      deadlineMs: 30_000,
    });
  }

  it('OP-1 R4a follows what builds, with Strict, and neither needs nor loses by the API server', async () => {
    await fleet.start(pod, { flags: ['--readiness-policy=Strict'] });
    await becomes(200);
    await breakIt();
    await becomes(503);
    await mendIt();
    await becomes(200);
    await breakIt();
    await becomes(503);
    await controlPlane.apiServer.kill();
    await mendIt();
    await becomes(200);
    await controlPlane.apiServer.start();
  });

  it('OP-1 looks at no NamespacedExecutor', async () => {
    const namespaced = refOf('second', fleet.namespace);
    await fleet.apply(namespaced, { files: [folder] });
    await breakIt();
    await fleet.reported(pod, namespaced, ({ status }) => status?.succeeded === false);
    await fleet.remove(refOf('first'));
    await becomes(200);
    await fleet.apply(refOf('first'), { files: [folder] });
    await becomes(503);
  });

  it('OP-1 remembers over a restart that the pod once built, with FailIfNeverBuilt', async () => {
    await mendIt();
    await fleet.reported(pod, refOf('first'), ({ status }) => status?.succeeded === true);
    await breakIt();
    await fleet.reported(pod, refOf('first'), ({ status }) => status?.succeeded === false);
    await fleet.start(pod, { flags: ['--readiness-policy=FailIfNeverBuilt'] });
    await becomes(200);
    const fresh = await fleet.makePod();
    await fleet.start(fresh, { flags: ['--readiness-policy=FailIfNeverBuilt'] });
    await fleet.reported(fresh, refOf('first'));
    await becomes(503, fresh);
    await mendIt();
    await becomes(200, fresh);
  });
});

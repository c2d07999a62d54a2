import { join } from 'node:path';
import { expect } from 'chai';
import { RATIFY_PLURALS, type RatifyPlural, readRatifyCrd } from '../../scripts/crds/executor-crds.ts';
import { type Crd, ROOT, readCrd } from '../contract/crd-schema.ts';
import { fullExecutorStatus, validExecutor } from '../contract/full-executor-status.ts';
import {
  APPLY_PATCH,
  type ApiObject,
  type ControlPlane,
  type Manifest,
  startControlPlane,
} from '../support/control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';

const START_MS = 20 * 60_000;

describe('the status patch on a real API server', () => {
  // Its own, because the shared one has our CRDs already.
  let controlPlane: ControlPlane;

  before(async function () {
    this.timeout(START_MS);
    controlPlane = await startControlPlane({ controllers: [] });
  });

  after(() => controlPlane.stop());

  const patch = (crd: string, file = 'status-patch.yaml') =>
    controlPlane.kubectl('patch', 'crd', crd, '--type=json', `--patch-file=${join(ROOT, 'crds', file)}`);

  const stored = (name: string) =>
    controlPlane.admin.call<Crd>(`GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);

  for (const group of ['config.ratify.sh', 'config.ratify.dev']) {
    for (const plural of RATIFY_PLURALS) {
      describe(`${plural}.${group}`, () => {
        const name = `${plural}.${group}`;
        let original: Crd;
        let collection: string;

        before(async () => {
          await controlPlane.apply([await ratifyCrd(plural, group)]);
          original = await stored(name);
          collection = `/apis/${group}/v2alpha1${plural === 'executors' ? '' : '/namespaces/default'}/${plural}`;
          const { kind } = original.spec.names;
          await controlPlane.admin.call(`POST ${collection}`, {
            ...validExecutor,
            apiVersion: `${group}/v2alpha1`,
            kind,
          });
          await controlPlane.admin.call(`PATCH ${collection}/default/status`, {
            status: { succeeded: false, error: 'of Ratify' },
          });
        });

        const executor = () => controlPlane.admin.call(`GET ${collection}/default`);

        it('UP-1 makes it what crds/ has', async () => {
          const { code, stdout, stderr } = await patch(name);
          expect(code, stderr).to.equal(0);
          expect(stdout).to.contain('patched');
          expect((await stored(name)).spec.versions).to.deep.equal(
            (await readCrd(`${plural}.yaml`)).spec.versions,
          );
        });

        it('UP-1 changes nothing the second time', async () => {
          const { stdout } = await patch(name);
          expect(stdout).to.contain('patched (no change)');
        });

        it('keeps what executors hold', async () => {
          expect((await executor()).spec).to.deep.equal(validExecutor.spec);
          expect((await executor()).status).to.deep.equal({ succeeded: false, error: 'of Ratify' });
        });

        it('lets the full status be applied', async () => {
          const { status } = await applyFullStatus();
          expect(status).to.deep.equal(fullExecutorStatus);
        });

        it('is undone by its reverse, and executors keep what Ratify has', async () => {
          const { code, stderr } = await patch(name, 'status-patch-reverse.yaml');
          expect(code, stderr).to.equal(0);
          expect((await stored(name)).spec).to.deep.equal(original.spec);
          const { succeeded, error, briefError } = fullExecutorStatus;
          await waitUntil(async () => (await executor()).status?.['byPod'] === undefined, {
            what: `${name} to serve our fields no longer`,
          });
          expect((await executor()).spec).to.deep.equal(validExecutor.spec);
          expect((await executor()).status).to.deep.equal({ succeeded, error, briefError });
        });

        it('cannot be undone where it was not done', async () => {
          const { code, stderr } = await patch(name, 'status-patch-reverse.yaml');
          expect(code).to.equal(1);
          expect(stderr).to.contain('The request is invalid');
          expect((await stored(name)).spec).to.deep.equal(original.spec);
        });

        /** Waits for the changed schema, which the API server takes up a moment after the patch. */
        async function applyFullStatus(): Promise<ApiObject> {
          const { kind } = original.spec.names;
          const body = { apiVersion: `${group}/v2alpha1`, kind, status: fullExecutorStatus };
          const query = { fieldManager: 'status-aggregator/test', force: true };
          return await waitUntil(
            () =>
              controlPlane.admin.call(`PATCH ${collection}/default/status`, body, {
                query,
                contentType: APPLY_PATCH,
              }),
            { what: `${name} to take our fields` },
          );
        }
      });
    }
  }

  it('UP-1 refuses a version that it does not know, and changes nothing', async () => {
    const { spec, ...crd } = await ratifyCrd('executors', 'newer.example');
    const newer = { ...crd, spec: { ...spec, versions: [{ ...spec.versions[0], name: 'v2beta1' }] } };
    await controlPlane.apply([newer]);
    const before = await stored('executors.newer.example');
    for (const file of ['status-patch.yaml', 'status-patch-reverse.yaml']) {
      const { code, stderr } = await patch('executors.newer.example', file);
      expect(code).to.equal(1);
      expect(stderr).to.contain('The request is invalid');
    }
    expect(await stored('executors.newer.example')).to.deep.equal(before);
  });

  it('UP-1 refuses a CRD that is none of Ratify’s', async () => {
    await controlPlane.apply(join(ROOT, 'crds/executorpodstatuses.yaml'));
    const { code, stderr } = await patch('executorpodstatuses.status.ratify.sh');
    expect(code).to.equal(1);
    expect(stderr).to.contain('The request is invalid');
  });
});

/** Ratify's CRD as it was recorded, in a group. */
async function ratifyCrd(plural: RatifyPlural, group: string): Promise<Manifest & Crd> {
  const crd = (await readRatifyCrd(ROOT, plural)) as Manifest & Crd;
  return { ...crd, metadata: { name: `${plural}.${group}` }, spec: { ...crd.spec, group } };
}

import { fileURLToPath } from 'node:url';
import { EXECUTOR_GROUP, newExecutorPodStatus } from '@executor-status/api';
import { expect } from 'chai';
import {
  type ApiAnswer,
  type ApiClient,
  type ControlPlane,
  MERGE_PATCH,
  type Pod,
  startControlPlane,
} from '../support/control-plane.ts';
import { type Overlay, writeOverlay } from '../support/kustomize-overlay.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';
import { ratifyRights } from '../support/ratify-rights.ts';
import { AGGREGATOR_ACCOUNT, NAMESPACE, WRITER_ACCOUNT } from '../support/stage.ts';
import { waitUntil } from '../support/wait-until.ts';
import { executorManifest, executorPath, refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';
import type { Answer } from './refusal.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;

// Without the fence, which refuses Ratify's statuses too.
const WIDE: Overlay = { resources: ['manifests'], components: ['manifests/components/without-fence'] };
const NARROW: Overlay = {
  ...WIDE,
  components: ['manifests/components/narrow-ratify', 'manifests/components/without-fence'],
};

describe('Ratify’s account', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;
  let pod: Pod;
  let ratify: ApiClient;
  let unbound: ApiClient;
  let aggregator: ApiClient;

  before(async () => {
    controlPlane = await startControlPlane({ manifests: PROJECT_CRDS });
    await controlPlane.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }]);
    await install(WIDE);
    await controlPlane.apply([
      ...ratifyRights({ namespace: NAMESPACE, account: WRITER_ACCOUNT }),
      executorManifest(refOf('kept'), EXECUTOR_GROUP),
      executorManifest(refOf('kept', NAMESPACE), EXECUTOR_GROUP),
    ]);
    pod = await controlPlane.makePod({ namespace: NAMESPACE, serviceAccount: WRITER_ACCOUNT });
    const other = await controlPlane.makePod({ namespace: NAMESPACE, serviceAccount: AGGREGATOR_ACCOUNT });
    ratify = controlPlane.as(await controlPlane.podToken(pod));
    unbound = controlPlane.as(
      await controlPlane.accountToken({ namespace: NAMESPACE, serviceAccount: WRITER_ACCOUNT }),
    );
    aggregator = controlPlane.as(await controlPlane.podToken(other));
  });

  after(async () => controlPlane?.stop());

  async function install(overlay: Overlay): Promise<void> {
    const folder = await writeOverlay(controlPlane, { namespace: NAMESPACE, ...overlay });
    const { code, stderr } = await controlPlane.kubectl('apply', '-k', folder);
    expect(code, stderr).to.equal(0);
  }

  type Attempt = (client: ApiClient) => Promise<ApiAnswer<Answer>>;
  const dryRun = { query: { dryRun: 'All' } };
  const writes: Record<string, Attempt> = {};
  for (const ref of [refOf('kept'), refOf('kept', NAMESPACE)]) {
    const at = executorPath(ref, EXECUTOR_GROUP);
    const merge = { ...dryRun, contentType: MERGE_PATCH };
    const fresh = executorManifest({ ...ref, name: 'fresh' }, EXECUTOR_GROUP);
    writes[`write the status of a ${ref.kind}`] = (client) =>
      client.request(`PATCH ${at}/status`, { status: { succeeded: false } }, merge);
    writes[`change the spec of a ${ref.kind}`] = (client) =>
      client.request(`PATCH ${at}`, { spec: { scopes: ['other.example'] } }, merge);
    writes[`make a ${ref.kind}`] = (client) =>
      client.request(`POST ${at.replace(/\/kept$/, '')}`, fresh, dryRun);
    writes[`delete a ${ref.kind}`] = (client) => client.request(`DELETE ${at}`, undefined, dryRun);
  }
  const tokenOf = (account: string) => ({
    metadata: { name: 'token', annotations: { 'kubernetes.io/service-account.name': account } },
    type: 'kubernetes.io/service-account-token',
  });
  writes['make a token of another account'] = (client) =>
    client.request(`POST ${SECRETS}`, tokenOf(AGGREGATOR_ACCOUNT), dryRun);

  const keeps: Record<string, Attempt> = {
    'reads executors': (client) => client.request(`GET ${executorPath(refOf('kept'), EXECUTOR_GROUP)}`),
    'makes the Secret of its certificate': (client) =>
      client.request(`POST ${SECRETS}`, { metadata: { name: 'tls' }, type: 'Opaque' }, dryRun),
    reports: (client) =>
      client.request(`POST ${reportsPath(NAMESPACE)}`, newExecutorPodStatus(pod, refOf('kept')), dryRun),
  };

  const codesOf = async (client: ApiClient, attempts: Record<string, Attempt>) => {
    const answers = Object.entries(attempts).map(async ([name, attempt]) => {
      const { code } = await attempt(client);
      return [name, code === 201 ? 200 : code] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  };
  const every = (attempts: Record<string, Attempt>, code: number) =>
    Object.fromEntries(Object.keys(attempts).map((name) => [name, code]));

  it('SE-1 may do all of this as Ratify’s chart has it', async () => {
    expect(await codesOf(ratify, writes)).to.deep.equal(every(writes, 200));
    expect(await codesOf(ratify, keeps)).to.deep.equal(every(keeps, 200));
  });

  describe('narrowed by the component', () => {
    before(async () => {
      await install(NARROW);
      const [attempt] = Object.values(writes);
      await waitUntil(async () => (await attempt?.(ratify))?.code === 403, {
        what: 'the policy to be in force',
      });
    });

    for (const [name, attempt] of Object.entries(writes)) {
      it(`SE-1 R6 may not ${name}, be the token bound to a pod or not`, async () => {
        for (const client of [ratify, unbound]) {
          const { code, body } = await attempt(client);
          expect(code, body.message).to.equal(403);
          expect(body.message).to.contain('narrow-ratify');
        }
      });
    }

    it('SE-1 may do what Ratify and the sidecar need', async () => {
      expect(await codesOf(ratify, keeps)).to.deep.equal(every(keeps, 200));
    });

    it('SE-1 is alone in this: an administrator and the aggregator write as before', async () => {
      expect(await codesOf(controlPlane.admin, writes)).to.deep.equal(every(writes, 200));
      for (const [name, attempt] of Object.entries(writes).filter(([what]) => what.includes('the status'))) {
        const { code, body } = await attempt(aggregator);
        expect(code, `${name}: ${body.message}`).to.equal(200);
      }
    });

    it('SE-1 leaves Secrets to other accounts', async () => {
      const [name, namespace] = ['someone', await controlPlane.createNamespace('someone')];
      await controlPlane.apply([
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
        ...ratifyRights({ namespace, account: name, name }).filter(({ kind }) => kind.startsWith('Role')),
      ]);
      const client = controlPlane.as(await controlPlane.accountToken({ namespace, serviceAccount: name }));
      const secrets = `/api/v1/namespaces/${namespace}/secrets`;
      const { code, body } = await client.request<Answer>(`POST ${secrets}`, tokenOf(name), dryRun);
      expect(code, body.message).to.equal(201);
    });

    it('SE-1 GC-5 gets everything back when the component goes', async () => {
      const folder = path('manifests/policies/narrow-ratify');
      const { code, stderr } = await controlPlane.kubectl('delete', '-k', folder);
      expect(code, stderr).to.equal(0);
      await waitUntil(async () => Object.values(await codesOf(ratify, writes)).every((got) => got === 200), {
        what: 'the policy to be gone',
      });
    });
  });
});

import { fileURLToPath } from 'node:url';
import {
  dashPack,
  EXECUTOR_GROUP,
  type ExecutorPodStatus,
  newExecutorPodStatus,
  type PodIdentity,
} from '@executor-status/api';
import { expect } from 'chai';
import {
  type ApiAnswer,
  type ApiClient,
  type ControlPlane,
  type Pod,
  startControlPlane,
} from '../support/control-plane.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';
import { ratifyRights } from '../support/ratify-rights.ts';
import { AGGREGATOR_ACCOUNT, NAMESPACE, WRITER_ACCOUNT } from '../support/stage.ts';
import { waitUntil } from '../support/wait-until.ts';
import { executorManifest, executorPath, refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';
import type { Answer } from './refusal.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const EXECUTOR = refOf('guarded');
const NAMESPACED = refOf('guarded', NAMESPACE);

const REPORT_RIGHTS = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'any-report' },
  rules: [
    {
      apiGroups: ['status.ratify.sh'],
      resources: ['executorpodstatuses', 'executorpodstatuses/status'],
      verbs: ['get', 'list', 'create', 'update', 'patch', 'delete', 'deletecollection'],
    },
  ],
};

/** Gives a test account the rights of a role everywhere, so that only a policy can refuse it. */
function bind(role: string, account: string, namespace: string) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${role}-${namespace}-${account}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  };
}

describe('the admission policies', () => {
  let controlPlane: ControlPlane;
  let elsewhere: string;
  let own: Pod;
  let other: Pod;
  let ownClient: ApiClient;
  let aggregatorClient: ApiClient;

  before(async function () {
    this.timeout(120_000);
    controlPlane = await startControlPlane({ manifests: PROJECT_CRDS });
    await controlPlane.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }]);
    const { code, stderr } = await controlPlane.kubectl('apply', '-k', path('manifests'));
    expect(code, stderr).to.equal(0);
    elsewhere = await controlPlane.createNamespace('elsewhere');
    await controlPlane.apply([
      ...ratifyRights({ namespace: NAMESPACE, account: WRITER_ACCOUNT }),
      REPORT_RIGHTS,
      // More than the manifests give, so that nothing but the policy refuses.
      bind('any-report', WRITER_ACCOUNT, NAMESPACE),
      bind('any-report', AGGREGATOR_ACCOUNT, NAMESPACE),
      executorManifest(EXECUTOR, EXECUTOR_GROUP),
      executorManifest(NAMESPACED, EXECUTOR_GROUP),
    ]);
    [own, other] = [await ratifyPod('ratify-a'), await ratifyPod('ratify-a-b')];
    ownClient = controlPlane.as(await controlPlane.podToken(own));
    const aggregator = await controlPlane.makePod({
      namespace: NAMESPACE,
      serviceAccount: AGGREGATOR_ACCOUNT,
    });
    aggregatorClient = controlPlane.as(await controlPlane.podToken(aggregator));
    // The API server learns of policies a moment after they were stored.
    await waitUntil(
      async () => (await create(ownClient, other, { name: `probe-${Math.random()}` })).code === 403,
      {
        what: 'the own-pod policy',
      },
    );
    await waitUntil(
      async () => (await writeStatus(ownClient, executorPath(EXECUTOR, EXECUTOR_GROUP))).code === 403,
      {
        what: 'the fence',
      },
    );
  });

  after(async () => controlPlane?.stop());

  const ratifyPod = (name: string) =>
    controlPlane.makePod({ namespace: NAMESPACE, name, serviceAccount: WRITER_ACCOUNT });

  interface ReportEdit {
    readonly name?: string;
    readonly owner?: PodIdentity;
  }

  let made = 0;

  /** The report of a pod about an executor of a new name. */
  function reportOf(pod: PodIdentity, { name, owner = pod }: ReportEdit = {}): ExecutorPodStatus {
    made += 1;
    const fresh = newExecutorPodStatus(pod, { kind: 'Executor', name: `e${made}` });
    const { ownerReferences } = newExecutorPodStatus(owner, fresh.spec.executorRef).metadata;
    const metadata = { ...fresh.metadata, ...(name !== undefined && { name }), ownerReferences };
    return { ...fresh, metadata } as ExecutorPodStatus;
  }

  const create = (client: ApiClient, pod: PodIdentity, edit: ReportEdit = {}) =>
    client.request<Answer>(`POST ${reportsPath(pod.namespace)}`, reportOf(pod, edit));

  /** A report that exists, made by the administrator; its path. */
  async function stored(pod: PodIdentity, owner: PodIdentity = pod): Promise<string> {
    const report = reportOf(pod, { owner });
    await controlPlane.admin.call(`POST ${reportsPath(pod.namespace)}`, report);
    return `${reportsPath(pod.namespace)}/${report.metadata.name}`;
  }

  const relabel = (client: ApiClient, at: string) =>
    client.request<Answer>(`PATCH ${at}`, {
      metadata: { labels: { 'status.ratify.sh/test': String(made) } },
    });

  const say = (client: ApiClient, at: string, id: string) =>
    client.request<Answer>(`PATCH ${at}/status`, {
      status: {
        id,
        executorUID: 'uid',
        executorGeneration: 1,
        succeeded: true,
        reason: 'Built',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    });

  const remove = (client: ApiClient, at: string) => client.request<Answer>(`DELETE ${at}`);

  const writeStatus = (client: ApiClient, at: string) =>
    client.request<Answer>(`PATCH ${at}/status`, { status: { succeeded: Math.random() > 0.5 } });

  const tokenOf = (name: string, namespace: string) =>
    controlPlane.accountToken({ namespace, serviceAccount: name }).then((token) => controlPlane.as(token));

  /** Who had the name of the pod before. */
  const predecessorOf = (pod: Pod): PodIdentity => ({ ...pod, uid: '00000000-0000-4000-8000-000000000000' });

  // The garbage collector would take it at once if its owner were gone.
  const leftBehind = (pod: Pod) => stored(predecessorOf(pod), pod);

  type Attempt = () => Promise<ApiAnswer<Answer>>;
  const allowed: Record<string, Attempt> = {
    'a pod makes its report': () => create(ownClient, own),
    'a pod changes its report': async () => relabel(ownClient, await stored(own)),
    'a pod writes the status of its report': async () => say(ownClient, await stored(own), own.name),
    'a pod deletes its report': async () => remove(ownClient, await stored(own)),
    'a pod deletes what its predecessor left': async () => remove(ownClient, await leftBehind(own)),
    'the aggregator sweeps a report': async () => remove(aggregatorClient, await stored(other)),
    'an administrator makes a report': () => create(controlPlane.admin, other),
    'an administrator deletes a report': async () => remove(controlPlane.admin, await stored(other)),
    'an account with cluster-admin repairs a report': async () => {
      const account = { namespace: elsewhere, name: 'admin' };
      await controlPlane.apply([
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'admin', namespace: elsewhere } },
        bind('cluster-admin', 'admin', elsewhere),
      ]);
      const client = await tokenOf(account.name, account.namespace);
      return await relabel(client, await stored(other));
    },
    'the storage migration rewrites a report': async () => {
      const [name, namespace] = ['storage-version-migrator-controller', 'kube-system'];
      await controlPlane.apply([
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
        bind('any-report', name, namespace),
      ]);
      const at = await stored(other);
      const object = await controlPlane.admin.call(`GET ${at}`);
      return await (await tokenOf(name, namespace)).request(`PUT ${at}`, object);
    },
    'the aggregator writes the status of an executor': () =>
      writeStatus(aggregatorClient, executorPath(EXECUTOR, EXECUTOR_GROUP)),
    'the aggregator writes the status of a namespaced executor': () =>
      writeStatus(aggregatorClient, executorPath(NAMESPACED, EXECUTOR_GROUP)),
    'an administrator writes the status of an executor': () =>
      writeStatus(controlPlane.admin, executorPath(EXECUTOR, EXECUTOR_GROUP)),
    'Ratify changes the spec of an executor': () =>
      ownClient.request(`PATCH ${executorPath(EXECUTOR, EXECUTOR_GROUP)}`, {
        spec: { scopes: [`changed-${made}.example`] },
      }),
  };

  const refused: Record<string, { readonly attempt: Attempt; readonly says: string }> = {
    'a pod makes a report about another pod': {
      attempt: () => create(ownClient, other),
      says: 'may only write reports whose spec.pod.uid is its own',
    },
    'a pod makes a report under the name of another': {
      attempt: () => create(ownClient, own, { name: dashPack(other.name, 'default') }),
      says: 'may only make reports that bear its name',
    },
    'a pod makes a report that another pod owns': {
      attempt: () => create(ownClient, own, { owner: other }),
      says: 'and that it owns',
    },
    'a pod makes a report about its predecessor': {
      attempt: () => create(ownClient, predecessorOf(own)),
      says: 'spec.pod.uid',
    },
    'a pod makes a report in another namespace': {
      attempt: () => create(ownClient, { ...own, namespace: elsewhere }),
      says: 'in their own namespace',
    },
    'a pod changes the report of another': {
      attempt: async () => relabel(ownClient, await stored(other)),
      says: 'spec.pod.uid',
    },
    'a pod writes the status of another’s report': {
      attempt: async () => say(ownClient, await stored(other), other.name),
      says: 'spec.pod.uid',
    },
    'a pod writes the status of its predecessor’s report': {
      attempt: async () => say(ownClient, await leftBehind(own), own.name),
      says: 'spec.pod.uid',
    },
    'a pod deletes the report of another': {
      attempt: async () => remove(ownClient, await stored(other)),
      says: 'may only delete reports whose spec.pod.name is its own',
    },
    'a pod deletes the report of its namesake in another namespace': {
      attempt: async () => {
        const namesake = await controlPlane.makePod({ namespace: elsewhere, name: own.name });
        return await remove(ownClient, await stored(namesake));
      },
      says: 'in their own namespace',
    },
    'Ratify’s account makes a report without a pod': {
      attempt: async () => create(await tokenOf(WRITER_ACCOUNT, NAMESPACE), own),
      says: 'with the token that the kubelet mounts',
    },
    'the aggregator’s account deletes a report without a pod': {
      attempt: async () => remove(await tokenOf(AGGREGATOR_ACCOUNT, NAMESPACE), await stored(other)),
      says: '"override"',
    },
    'a stolen token Secret of the aggregator deletes a report': {
      attempt: async () => remove(await stolenClient(), await stored(other)),
      says: '"override"',
    },
    'a stolen token Secret of the aggregator writes the status of an executor': {
      attempt: async () => writeStatus(await stolenClient(), executorPath(EXECUTOR, EXECUTOR_GROUP)),
      says: '"override" on executors/status',
    },
    'Ratify writes the status of an executor': {
      attempt: () => writeStatus(ownClient, executorPath(EXECUTOR, EXECUTOR_GROUP)),
      says: 'If this is Ratify, nothing is wrong',
    },
    'Ratify writes the status of a namespaced executor': {
      attempt: () => writeStatus(ownClient, executorPath(NAMESPACED, EXECUTOR_GROUP)),
      says: 'namespacedexecutors/status',
    },
  };

  /** What Ratify's rights on Secrets let it do: a token for any account of its namespace. */
  async function stolenClient(): Promise<ApiClient> {
    const name = `stolen-${Math.random().toString(36).slice(2)}`;
    const secrets = `/api/v1/namespaces/${NAMESPACE}/secrets`;
    await controlPlane.admin.call(`POST ${secrets}`, {
      metadata: { name, annotations: { 'kubernetes.io/service-account.name': AGGREGATOR_ACCOUNT } },
      type: 'kubernetes.io/service-account-token',
    });
    const token = await waitUntil(
      async () => {
        const secret = await controlPlane.admin.call<{ data?: { token?: string } }>(`GET ${secrets}/${name}`);
        return secret.data?.token;
      },
      { what: 'the token of the Secret' },
    );
    return controlPlane.as(Buffer.from(token, 'base64').toString('utf8'));
  }

  for (const [name, attempt] of Object.entries(allowed)) {
    it(`SE-2 SE-3 allow that ${name}`, async () => {
      const { code, body } = await attempt();
      expect(code, body.message).to.be.oneOf([200, 201]);
    });
  }

  for (const [name, { attempt, says }] of Object.entries(refused)) {
    it(`SE-2 SE-3 B42 refuse that ${name}`, async () => {
      const { code, body } = await attempt();
      expect(code, body.message).to.equal(403);
      expect(body.message).to.contain(says);
    });
  }

  it('SE-2 GC-1 leave the garbage collector its work', async () => {
    const pod = await ratifyPod('ratify-collected');
    const at = await stored(pod);
    await controlPlane.removePod(pod);
    await waitUntil(async () => (await controlPlane.admin.request(`GET ${at}`)).code === 404, {
      what: 'the garbage collector to take the report',
      deadlineMs: 60_000,
    });
  });

  it('SE-2 let a namespace go', async () => {
    const namespace = await controlPlane.createNamespace('going');
    await stored({ ...other, namespace });
    await controlPlane.admin.call(`DELETE /api/v1/namespaces/${namespace}`);
    await waitUntil(
      async () => (await controlPlane.admin.request(`GET /api/v1/namespaces/${namespace}`)).code === 404,
      { what: 'the namespace controller to remove the reports', deadlineMs: 60_000 },
    );
  });

  it('SE-3 lift the fence with one switch', async () => {
    const { code, stderr } = await controlPlane.kubectl('delete', '-k', path('manifests/policies/fence'));
    expect(code, stderr).to.equal(0);
    await waitUntil(
      async () => (await writeStatus(ownClient, executorPath(EXECUTOR, EXECUTOR_GROUP))).code === 200,
      { what: 'the fence to be gone' },
    );
  });
});

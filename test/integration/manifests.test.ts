import { fileURLToPath } from 'node:url';
import { newExecutorPodStatus, WRITER_FIELD_MANAGER } from '@executor-status/api';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { APPLY_PATCH, type Manifest } from '../support/control-plane.ts';
import { installManifests, renderManifests } from '../support/install-manifests.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';

/** Everything that a right could be about here. */
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const RESOURCES = [
  'config.ratify.sh/executors',
  'config.ratify.sh/executors/status',
  'config.ratify.sh/namespacedexecutors',
  'config.ratify.sh/namespacedexecutors/status',
  'config.ratify.dev/executors',
  'config.ratify.dev/executors/status',
  'status.ratify.sh/executorpodstatuses',
  'status.ratify.sh/executorpodstatuses/status',
  'coordination.k8s.io/leases',
  'events.k8s.io/events',
  '/pods',
  '/pods/status',
  '/secrets',
  '/configmaps',
  '/serviceaccounts',
];

describe('the manifests in a real API server', () => {
  const controlPlane = useControlPlane();
  let namespace: string;
  let podNamespace: string;
  let elsewhere: string;

  before(async () => {
    [namespace, podNamespace, elsewhere] = await Promise.all([
      controlPlane().createNamespace('installed'),
      controlPlane().createNamespace('pods'),
      controlPlane().createNamespace('elsewhere'),
    ]);
    const installation = { namespace, serviceAccount: 'ratify-account', podNamespaces: [podNamespace] };
    await installManifests(controlPlane(), installation);
  });

  /** What an account of the installation may do in a namespace. */
  async function rightsOf(account: string, where: string, name?: string): Promise<Record<string, string>> {
    const [accountNamespace = '', accountName = ''] = account.split('/');
    const rights = await Promise.all(
      RESOURCES.flatMap((path) => VERBS.map((verb) => ({ path, verb }))).map(async ({ path, verb }) => {
        const [group = '', resource = '', subresource = ''] = path.split('/');
        const { status } = await controlPlane().admin.call<{ status: { allowed: boolean } }>(
          'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
          {
            spec: {
              user: `system:serviceaccount:${accountNamespace}:${accountName}`,
              groups: ['system:serviceaccounts', 'system:authenticated'],
              resourceAttributes: { namespace: where, group, resource, subresource, verb, name },
            },
          },
        );
        return { path, verb, allowed: status.allowed };
      }),
    );
    const granted: Record<string, string> = {};
    for (const { path, verb } of rights.filter(({ allowed }) => allowed)) {
      granted[path] = [granted[path], verb].filter((word) => word !== undefined).join(' ');
    }
    return granted;
  }

  const READS_EXECUTORS = {
    'config.ratify.sh/executors': 'get list watch',
    'config.ratify.sh/namespacedexecutors': 'get list watch',
  };
  const AGGREGATES = {
    ...READS_EXECUTORS,
    'config.ratify.sh/executors/status': 'patch',
    'config.ratify.sh/namespacedexecutors/status': 'patch',
    'events.k8s.io/events': 'create patch',
  };
  const WRITES_REPORTS = {
    ...READS_EXECUTORS,
    'status.ratify.sh/executorpodstatuses': 'get list create patch delete',
    'status.ratify.sh/executorpodstatuses/status': 'patch',
  };
  const READS_PODS = {
    '/pods': 'get list watch',
    'status.ratify.sh/executorpodstatuses': 'list watch delete',
  };

  it('SE-1 let Ratify’s account write reports in its own namespace', async () => {
    expect(await rightsOf(`${namespace}/ratify-account`, namespace)).to.deep.equal(WRITES_REPORTS);
    expect(await rightsOf(`${namespace}/ratify-account`, elsewhere)).to.deep.equal(READS_EXECUTORS);
  });

  it('SE-1 let the aggregator read pods and reports where Ratify runs, and hold its Lease', async () => {
    expect(await rightsOf(`${namespace}/status-aggregator`, namespace, 'status-aggregator')).to.deep.equal({
      ...AGGREGATES,
      ...READS_PODS,
      'coordination.k8s.io/leases': 'get create update',
    });
    expect(await rightsOf(`${namespace}/status-aggregator`, elsewhere)).to.deep.equal(AGGREGATES);
  });

  it('SE-1 let the aggregator hold no other Lease', async () => {
    const rights = await rightsOf(`${namespace}/status-aggregator`, namespace, 'another-lease');
    expect(rights['coordination.k8s.io/leases']).to.equal('create');
  });

  it('SE-1 give no account that was not meant anything', async () => {
    expect(await rightsOf(`${namespace}/default`, namespace)).to.deep.equal({});
    expect(await rightsOf(`${elsewhere}/ratify-account`, elsewhere)).to.deep.equal({});
  });

  it('ID-7 let pods of a further namespace report there', async () => {
    expect(await rightsOf(`${podNamespace}/ratify-account`, podNamespace)).to.deep.include({
      'status.ratify.sh/executorpodstatuses': 'get list create patch delete',
    });
    expect(await rightsOf(`${namespace}/status-aggregator`, podNamespace)).to.deep.equal({
      ...AGGREGATES,
      ...READS_PODS,
    });
  });

  it('GC-1 let a pod’s own token make a report that the pod owns', async () => {
    const pod = await controlPlane().makePod({ namespace, serviceAccount: 'ratify-account' });
    const client = controlPlane().as(await controlPlane().podToken(pod));
    const report = newExecutorPodStatus(pod, { kind: 'Executor', name: 'default' });
    const stored = await client.call(
      `PATCH /apis/status.ratify.sh/v1alpha1/namespaces/${namespace}/executorpodstatuses/${report.metadata.name}`,
      report,
      {
        contentType: APPLY_PATCH,
        query: { fieldManager: WRITER_FIELD_MANAGER, force: true },
      },
    );
    expect(stored.metadata.ownerReferences).to.deep.equal(report.metadata.ownerReferences);
  });

  it('ID-8 are of one group of executors only', async () => {
    const rendered = JSON.stringify(
      await renderManifests(controlPlane(), { namespace, group: 'config.ratify.dev' }),
    );
    expect(rendered).to.contain('config.ratify.dev');
    expect(rendered).not.to.contain('config.ratify.sh');
  });

  it('render without an overlay, for the namespace where Gatekeeper’s users have Ratify', async () => {
    const folder = fileURLToPath(new URL('../../manifests', import.meta.url));
    const { code, stdout, stderr } = await controlPlane().kubectl('kustomize', folder);
    expect(code, stderr).to.equal(0);
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const names = objects.map(({ kind, metadata: { namespace: where = '-', name } }) =>
      // kustomize does not know that they have no namespace; kubectl does.
      kind.includes('AdmissionPolicy') ? `${kind} - ${name}` : `${kind} ${where} ${name}`,
    );
    expect(names).to.have.members([
      'ClusterRole - executor-status-override',
      'ClusterRole - executor-status-view',
      'ClusterRole - executor-writer',
      'ClusterRole - status-aggregator',
      'ClusterRole - status-aggregator-exemption',
      'ClusterRoleBinding - executor-status-override',
      'ClusterRoleBinding - executor-writer',
      'ClusterRoleBinding - status-aggregator',
      'ClusterRoleBinding - status-aggregator-exemption',
      'CustomResourceDefinition - executorpodstatuses.status.ratify.sh',
      'Deployment gatekeeper-system status-aggregator',
      'Lease gatekeeper-system status-aggregator',
      'MutatingAdmissionPolicy - executor-writer',
      'MutatingAdmissionPolicyBinding - executor-writer',
      'NetworkPolicy gatekeeper-system status-aggregator',
      'PodDisruptionBudget gatekeeper-system status-aggregator',
      'Role gatekeeper-system executor-writer',
      'Role gatekeeper-system status-aggregator',
      'Role gatekeeper-system status-aggregator-pods',
      'RoleBinding gatekeeper-system executor-writer',
      'RoleBinding gatekeeper-system status-aggregator',
      'RoleBinding gatekeeper-system status-aggregator-pods',
      'ServiceAccount gatekeeper-system status-aggregator',
      'ValidatingAdmissionPolicy - executor-status-fence',
      'ValidatingAdmissionPolicy - executor-status-own-pod',
      'ValidatingAdmissionPolicyBinding - executor-status-fence',
      'ValidatingAdmissionPolicyBinding - executor-status-own-pod',
    ]);
  });
});

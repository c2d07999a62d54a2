import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { kubernetesVersion } from '../../scripts/kube/assets.ts';
import { type ControlPlane, startControlPlane } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';

const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

describe('the control plane that tests run on (DT-1)', function () {
  this.timeout(60_000);
  const controlPlane = useControlPlane();

  it('knows a pod by the token bound to it', async () => {
    const plane = controlPlane();
    const pod = await plane.makePod({ namespace: await plane.createNamespace() });
    const review = await plane.as(await plane.podToken(pod)).call(`POST ${REVIEWS}`, REVIEW);

    const user = review.status?.['userInfo'];
    expect(user).to.have.property('username', `system:serviceaccount:${pod.namespace}:ratify`);
    expect(user)
      .to.have.property('extra')
      .that.deep.includes({
        'authentication.kubernetes.io/pod-name': [pod.name],
        'authentication.kubernetes.io/pod-uid': [pod.uid],
      });
  });

  it('makes pods whose containers run, with the sidecar', async () => {
    const plane = controlPlane();
    const namespace = await plane.createNamespace();
    await plane.makePod({ namespace, name: 'ratify-0' });
    const { stdout, code } = await plane.kubectl('get', 'pods', '--namespace', namespace, '--no-headers');
    expect(code).to.equal(0);
    expect(stdout).to.match(/^ratify-0 +2\/2 +Running/);
  });

  it('is of the version that everything is tested on, or of the one that KUBERNETES_VERSION names (DT-3)', async () => {
    const { version } = controlPlane();
    const { gitVersion } = await controlPlane().admin.call<{ gitVersion: string }>('GET /version');
    // What was built here may name its build after a plus sign.
    expect(gitVersion.split('+')[0]).to.equal(`v${version}`);
    const { KUBERNETES_VERSION, KUBEBUILDER_ASSETS } = process.env;
    // Programs that are given are of whatever version they are.
    if (!KUBEBUILDER_ASSETS) expect(version).to.equal(kubernetesVersion(KUBERNETES_VERSION));
  });

  it('leaves a pod without a node pending', async () => {
    const plane = controlPlane();
    const pod = await plane.makePod({ namespace: await plane.createNamespace(), nodeName: null });
    const { spec, status } = await plane.admin.call(
      `GET /api/v1/namespaces/${pod.namespace}/pods/${pod.name}`,
    );
    expect(spec).to.not.have.property('nodeName');
    expect(status?.['phase']).to.equal('Pending');
  });

  it('writes what a pod did into the audit log, with the pod and the body', async () => {
    const plane = controlPlane();
    const { audit } = plane;
    const pod = await plane.makePod({ namespace: await plane.createNamespace() });
    const client = plane.as(await plane.podToken(pod));
    const user = `system:serviceaccount:${pod.namespace}:${pod.serviceAccount}`;

    await client.call(`POST ${REVIEWS}`, REVIEW);
    const since = await audit.mark();
    expect((await client.request(`GET /api/v1/namespaces/${pod.namespace}/pods`)).code).to.equal(403);
    const path = `/api/v1/namespaces/${pod.namespace}/configmaps`;
    expect((await client.request(`POST ${path}`, { metadata: { name: 'x' } })).code).to.equal(403);

    const seen = await audit.entries({ user, since });
    expect(seen.map(({ verb, resource, code }) => `${verb} ${resource} ${code}`)).to.deep.equal([
      'list pods 403',
      'create configmaps 403',
    ]);
    expect(seen[0]?.extra['authentication.kubernetes.io/pod-uid']).to.deep.equal([pod.uid]);
    const [created] = await audit.entries({
      verb: 'create',
      resource: 'pods',
      subresource: '',
      name: pod.name,
    });
    expect(created?.body).to.have.nested.property('metadata.labels.app', 'ratify');
    expect(await audit.count({ verb: ['list', 'create'], user, since })).to.equal(2);
    expect(await audit.count({ user, since: await audit.mark() })).to.equal(0);
  });

  it('never writes a token into the audit log', async () => {
    const plane = controlPlane();
    const pod = await plane.makePod({ namespace: await plane.createNamespace() });
    const token = await plane.podToken(pod);
    await plane.audit.waitFor({ subresource: 'token', namespace: pod.namespace });
    expect(await readFile(join(plane.directory, 'audit.log'), 'utf8')).to.not.contain(token.slice(-40));
  });

  it('gives a process the files that a pod finds', async () => {
    const plane = controlPlane();
    const pod = await plane.makePod({ namespace: await plane.createNamespace() });
    const token = await plane.podToken(pod);
    const directory = await plane.inClusterDirectory(token);
    const file = (name: string) => readFile(join(directory, name), 'utf8');
    expect(await file('token')).to.equal(token);
    expect(await file('namespace')).to.equal(pod.namespace);
    expect(await file('ca.crt')).to.equal(await readFile(plane.caFile, 'utf8'));
    expect(plane.podEnv(pod)).to.deep.include({ POD_NAME: pod.name, POD_UID: pod.uid });
  });

  it('lets kubectl speak for the bearer of a token', async () => {
    const plane = controlPlane();
    const pod = await plane.makePod({ namespace: await plane.createNamespace() });
    const kubeconfig = await plane.kubeconfigFor(await plane.podToken(pod));
    const { stdout } = await plane.kubectl('auth', 'whoami', `--kubeconfig=${kubeconfig}`, '-o=name');
    const whoami = await plane.kubectl('auth', 'whoami', `--kubeconfig=${kubeconfig}`);
    expect(`${stdout}${whoami.stdout}`).to.contain(`system:serviceaccount:${pod.namespace}:ratify`);
  });

  it('removes a report when its pod is gone', async () => {
    const plane = controlPlane();
    const { name, namespace, uid } = await plane.makePod({ namespace: await plane.createNamespace() });
    const path = `/apis/status.ratify.sh/v1alpha1/namespaces/${namespace}/executorpodstatuses`;
    await plane.admin.call(`POST ${path}`, {
      apiVersion: 'status.ratify.sh/v1alpha1',
      kind: 'ExecutorPodStatus',
      metadata: { name: 'a-report', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid }] },
      spec: { executorRef: { kind: 'Executor', name: 'default' }, pod: { name, uid }, nodeName: 'node-1' },
    });
    await plane.removePod({ namespace, name });
    await waitUntil(async () => (await plane.admin.request(`GET ${path}/a-report`)).code === 404, {
      what: 'the garbage collector to remove the report',
      deadlineMs: 40_000,
    });
    const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
    expect(await plane.audit.count({ verb: 'delete', user: collector, name: 'a-report' })).to.equal(1);
  });

  it('refuses in one line what the API server does not know', async () => {
    const unknown = { apiVersion: 'v1', kind: 'Nonsense', metadata: { name: 'x' } };
    const error: unknown = await controlPlane()
      .apply([unknown])
      .catch((reason: unknown) => reason);
    expect(String(error)).to.equal('Error: the API server has no kind Nonsense in v1');
  });
});

describe('a control plane of its own', function () {
  this.timeout(180_000);

  it('keeps its data when the API server dies, and runs beside another', async () => {
    await using planes = new AsyncDisposableStack();
    const [first, second] = await Promise.all([startControlPlane(), startControlPlane({ controllers: [] })]);
    planes.use(first);
    planes.use(second);
    expect(first.url).to.not.equal(second.url);

    const namespace = await first.createNamespace();
    const code = async (plane: ControlPlane) =>
      (await plane.admin.request(`GET /api/v1/namespaces/${namespace}`)).code;
    expect([await code(first), await code(second)]).to.deep.equal([200, 404]);

    await first.apiServer.kill();
    const refused: unknown = await code(first).catch((error: unknown) => error);
    expect(String(refused)).to.contain('no answer');
    await first.apiServer.start();
    expect(await code(first)).to.equal(200);

    const since = await first.audit.mark();
    await first.apiServer.restart();
    expect(await code(first)).to.equal(200);
    expect(await first.audit.count({ verb: 'get', resource: 'namespaces', name: namespace, since })).to.equal(
      1,
    );

    await first.stop();
    expect(existsSync(first.directory)).to.equal(false);
    expect(await code(second)).to.equal(404);
  });

  it('says what happened when a component cannot start', async () => {
    const error: unknown = await startControlPlane({
      controllers: [],
      manifests: ['/no/such/file.yaml'],
    }).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('/no/such/file.yaml');
  });
});

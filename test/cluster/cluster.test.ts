import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTOR_GROUP, reportName } from '@executor-status/api';
import { expect } from 'chai';
import { executorManifest, refOf } from '../integration/executor-manifest.ts';
import type { Manifest } from '../support/control-plane.ts';
import { type Overlay, replacing, writeOverlay } from '../support/kustomize-overlay.ts';
import { ratifyDeployment, ratifyPodTemplate } from '../support/ratify-deployment.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  type ClusterPod,
  ClusterView,
  conditionOf,
  SETTLED_MS,
  sidecarOf,
  sidecarStatus,
} from './cluster-view.ts';
import { sidecarProcess } from './sidecar-process.ts';
import { RATIFY_IMAGE, type Stand, startStand } from './stand.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const NAMESPACE = 'gatekeeper-system';
const ACCOUNT = 'ratify-gatekeeper-provider-admin';
const CERTS = '/usr/local/notation/certs';

/** The installation as shipped. */
const SHIPPED: Overlay = { namespace: NAMESPACE, resources: ['manifests'] };

// One story: each chapter begins where the one before ended.
describe('a cluster with a real node', function () {
  this.timeout(10 * 60_000);
  this.bail(true);
  let stand: Stand;
  let view: ClusterView;
  let original: readonly ClusterPod[];
  let executorsBefore: string;

  before(async () => {
    const images = process.env['IMAGES'] ?? path('dist/images');
    stand = await startStand(images, (line) => process.stderr.write(`    ${line}\n`));
    view = new ClusterView(stand.controlPlane, NAMESPACE);
  });

  after(async () => stand?.[Symbol.asyncDispose]());

  async function kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await stand.controlPlane.kubectl(...args);
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  const inNamespace = (...args: readonly string[]) => kubectl('-n', NAMESPACE, ...args);
  const restart = () => inNamespace('rollout', 'restart', 'deployment/ratify-gatekeeper-provider');
  const scale = (replicas: number) =>
    inNamespace('scale', 'deployment/ratify-gatekeeper-provider', `--replicas=${replicas}`);
  const install = async (overlay: Overlay) =>
    kubectl('apply', '-k', await writeOverlay(stand.controlPlane, overlay));

  /** Waits until `count` fresh pods are ready, each with the sidecar. */
  async function restarted(count = 3): Promise<readonly ClusterPod[]> {
    const before = new Set((await view.pods()).map(({ metadata }) => metadata.uid));
    await restart();
    return await view.settled(count, (pod) => !before.has(pod.metadata.uid));
  }

  const allBuild = (count: number) =>
    view.told(
      `${count} of ${count} pods to report`,
      ({ status }) => status?.builds === `${count}/${count}` && status.succeeded === true,
    );

  it('runs Ratify as its chart installs it, in a restricted namespace', async () => {
    const ratify = ratifyDeployment({
      namespace: NAMESPACE,
      image: RATIFY_IMAGE,
      container: {
        ports: [{ name: 'healthz', containerPort: 9099 }],
        readinessProbe: { httpGet: { path: '/readyz', port: 'healthz' }, periodSeconds: 2 },
      },
    });
    const volumes = ratify.spec.template.spec.volumes.map((volume) =>
      // One folder a pod, so that the pods can differ.
      volume.name === 'notation-certs' ? { name: volume.name, emptyDir: {} } : volume,
    );
    await stand.controlPlane.apply([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
      } as Manifest,
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace: NAMESPACE } },
    ]);
    for (const kind of ['executors', 'namespacedexecutors']) {
      await kubectl('apply', '-f', path(`test/fixtures/ratify-crds/${kind}.json`));
    }
    await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
    ratify.spec.template.spec = { ...ratify.spec.template.spec, volumes };
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'ratify', namespace: NAMESPACE },
      spec: { selector: { 'app.kubernetes.io/name': 'ratify-gatekeeper-provider' }, ports: [{ port: 6001 }] },
    };
    await stand.controlPlane.apply([
      ratify,
      service,
      executorManifest(refOf('default'), EXECUTOR_GROUP, { files: [CERTS] }),
    ]);
    original = await view.settled(3);
    executorsBefore = JSON.stringify((await view.executor()).spec);
    expect(original.map(sidecarOf)).to.deep.equal([undefined, undefined, undefined]);
  });

  it('PK-2 SE-4 reports from every pod after an apply and one restart', async () => {
    await install(SHIPPED);
    for (const kind of ['executors', 'namespacedexecutors']) {
      const patch = ['--type=json', '--patch-file', path('crds/status-patch.yaml')];
      await kubectl('patch', 'crd', `${kind}.${EXECUTOR_GROUP}`, ...patch);
    }
    await inNamespace('rollout', 'status', 'deployment/status-aggregator', '--timeout=180s');
    const pods = await restarted();
    expect(pods.map((pod) => sidecarOf(pod)?.name)).to.deep.equal(Array(3).fill('executor-writer'));
    const { status } = await allBuild(3);
    expect(status?.byPod?.map(({ podUID }) => podUID)).to.have.members(
      pods.map(({ metadata }) => metadata.uid),
    );
  });

  it('AP-5 shows them by short name and category', async () => {
    const byShortName = await inNamespace('get', 'exps', '-o', 'name');
    expect(byShortName.trim().split('\n')).to.have.lengthOf(3);
    expect(await inNamespace('get', 'ratify', '-o', 'name')).to.contain(byShortName.trim());
  });

  it('WP-12 keeps the object when a sidecar is restarted', async () => {
    const [pod] = await view.pods();
    if (pod === undefined) throw new Error('there is no pod');
    const uids = async () => (await view.reports()).map(({ metadata }) => metadata.uid).toSorted();
    const before = await uids();
    const restarts = sidecarStatus(pod)?.restartCount ?? 0;
    process.kill(await sidecarProcess(pod), 'SIGKILL');
    await view.settled(
      3,
      (now) => now.metadata.uid !== pod.metadata.uid || (sidecarStatus(now)?.restartCount ?? 0) > restarts,
    );
    await allBuild(3);
    expect(await uids()).to.deep.equal(before);
  });

  it('ST-2 restarts a sidecar that is frozen, within 45 s', async () => {
    const [, pod] = await view.pods();
    if (pod === undefined) throw new Error('there is no second pod');
    const restarts = sidecarStatus(pod)?.restartCount ?? 0;
    process.kill(await sidecarProcess(pod), 'SIGSTOP');
    await waitUntil(
      async () => {
        const now = (await view.pods()).find(({ metadata }) => metadata.uid === pod.metadata.uid);
        const status = now && sidecarStatus(now);
        return status !== undefined && status.restartCount > restarts && status.state.running !== undefined;
      },
      { what: 'the frozen sidecar to be restarted', deadlineMs: 45_000, everyMs: 250 },
    );
    await allBuild(3);
  });

  it('GC-1 forgets a pod that is evicted, and knows the one that takes its place', async () => {
    const [, , pod] = await view.pods();
    if (pod === undefined) throw new Error('there is no third pod');
    await evict(pod.metadata.name);
    await view.settled(3, ({ metadata }) => metadata.uid !== pod.metadata.uid);
    await waitUntil(
      async () => (await view.reports()).every(({ spec }) => spec.pod.uid !== pod.metadata.uid),
      {
        what: 'the report of the evicted pod to go',
        deadlineMs: 60_000,
      },
    );
    await allBuild(3);
  });

  async function evict(name: string): Promise<void> {
    await stand.controlPlane.admin.call(`POST /api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace: NAMESPACE },
    });
  }

  it('follows a scale to nothing and back', async () => {
    await scale(0);
    await view.told('no pod to run', (executor) => conditionOf(executor, 'Ready')?.reason === 'NoPods');
    await waitUntil(async () => (await view.reports()).length === 0, {
      what: 'the reports to be collected',
      deadlineMs: SETTLED_MS,
    });
    await scale(3);
    await view.settled(3);
    await allBuild(3);
  });

  it('HA-5 goes on within 20 s when the leader is evicted', async () => {
    const leader = await view.leader();
    await evict(leader?.split('_')[0] ?? '');
    const gone = performance.now();
    await waitUntil(async () => ![undefined, '', leader].includes(await view.leader()), {
      what: 'another leader',
      deadlineMs: 20_000,
      everyMs: 100,
    });
    expect(performance.now() - gone).to.be.below(20_000);
    await inNamespace('rollout', 'status', 'deployment/status-aggregator', '--timeout=180s');
  });

  it('OP-1 R4a takes one pod of three out of the EndpointSlice with Strict, and back', async () => {
    await install({ ...SHIPPED, components: ['manifests/components/readiness-strict'] });
    await policyKnows('Strict');
    const [, pod] = await restarted();
    if (pod === undefined) throw new Error('there is no second pod');
    const folder = join(
      stand.node.directory,
      'kubelet/pods',
      pod.metadata.uid,
      'volumes/kubernetes.io~empty-dir/notation-certs',
    );
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'broken.crt'), 'no certificate');
    await waitUntil(async () => (await view.endpoints()).length === 2, {
      what: 'the pod to leave the EndpointSlice',
      deadlineMs: 15_000,
    });
    expect(await view.endpoints()).not.to.include(pod.metadata.name);
    await rm(join(folder, 'broken.crt'));
    await waitUntil(async () => (await view.endpoints()).length === 3, {
      what: 'the pod to return',
      deadlineMs: 15_000,
    });
    await install(SHIPPED);
    await policyKnows('Always');
    await restarted();
    await allBuild(3);
  });

  /** The API server learns of an edited policy a moment after it was stored. */
  async function policyKnows(readinessPolicy: string): Promise<void> {
    await admits(
      (sidecar) =>
        JSON.stringify(sidecar?.args ?? []).includes('--readiness-policy') === (readinessPolicy !== 'Always'),
    );
  }

  interface Sidecar {
    readonly name: string;
    readonly args?: readonly string[];
  }

  async function admits(wanted: (sidecar: Sidecar | undefined) => boolean): Promise<void> {
    const { metadata, spec } = ratifyPodTemplate({ namespace: NAMESPACE });
    const pod = { metadata: { ...metadata, name: 'dry-run' }, spec };
    await waitUntil(
      async () => {
        const stored = await stand.controlPlane.admin.call<{ spec: { initContainers?: readonly Sidecar[] } }>(
          `POST /api/v1/namespaces/${NAMESPACE}/pods`,
          pod,
          { query: { dryRun: 'All' } },
        );
        return wanted(stored.spec.initContainers?.find(({ name }) => name === 'executor-writer'));
      },
      { what: 'the policy to be in force', deadlineMs: 30_000 },
    );
  }

  it('tells a StatefulSet’s pod from the one whose name it has', async () => {
    const template = ratifyPodTemplate({ namespace: NAMESPACE, image: RATIFY_IMAGE });
    const labels = { ...template.metadata.labels, set: 'yes' };
    const spec = {
      replicas: 1,
      serviceName: 'ratify',
      selector: { matchLabels: { set: 'yes' } },
      template: { metadata: { labels }, spec: template.spec },
    };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'ratify-set', namespace: NAMESPACE },
      spec,
    };
    await stand.controlPlane.apply([set]);
    await view.settled(4);
    await allBuild(4);
    const uid = async () => {
      const report = (await view.reports()).find(
        ({ metadata }) => metadata.name === reportName('ratify-set-0', refOf('default')),
      );
      return report?.status === undefined ? undefined : report.spec.pod.uid;
    };
    const first = await uid();
    await inNamespace('delete', 'pod', 'ratify-set-0', '--wait=true');
    await waitUntil(async () => ![undefined, first].includes(await uid()), {
      what: 'the report of the new pod under the old name',
      deadlineMs: SETTLED_MS,
    });
    await allBuild(4);
    await inNamespace('delete', 'statefulset', 'ratify-set', '--wait=true');
    await view.settled(3);
  });

  const parked = async () => {
    const pods = await view.pods();
    const texts = await Promise.all(
      pods.map(({ status }) => fetch(`http://${status.podIP}:9810/metrics`).then((answer) => answer.text())),
    );
    return texts.every((text) => /^executor_status_parked 1$/m.test(text));
  };

  it('WP-13 keeps Ratify in the EndpointSlice with a sidecar that has a bad flag', async () => {
    const rendered = await kubectl('get', 'mutatingadmissionpolicy', 'executor-writer', '-o', 'json');
    const { variables } = (JSON.parse(rendered) as { spec: { variables: { name: string }[] } }).spec;
    const at = variables.findIndex(({ name }) => name === 'arguments');
    const policy = { kind: 'MutatingAdmissionPolicy', name: 'executor-writer' };
    const patches = [replacing(policy, { [`/spec/variables/${at}/expression`]: `['--resink=1s']` })];
    await install({ ...SHIPPED, patches });
    await admits((sidecar) => sidecar?.args?.includes('--resink=1s') === true);
    const pods = await restarted();
    await waitUntil(parked, { what: 'all sidecars to be parked', deadlineMs: 60_000 });
    await expectAllServed(pods);
    await install(SHIPPED);
    await admits((sidecar) => sidecar?.args?.includes('--resink=1s') === false);
    await restarted();
    await allBuild(3);
  });

  const losses = {
    'the right to report': ['-n', NAMESPACE, 'rolebinding', 'executor-writer'],
    'the report CRD': ['crd', 'executorpodstatuses.status.ratify.sh'],
  };

  for (const [loss, object] of Object.entries(losses)) {
    it(`WP-13 keeps Ratify in the EndpointSlice without ${loss}`, async () => {
      const pods = await view.pods();
      await kubectl('delete', ...object);
      await expectAllServed(pods);
      const fresh = await restarted();
      await waitUntil(parked, { what: 'all sidecars to be parked', deadlineMs: 60_000 });
      await expectAllServed(fresh);
      await install(SHIPPED);
      await allBuild(3);
      await expectAllServed(fresh);
    });
  }

  async function expectAllServed(pods: readonly ClusterPod[]): Promise<void> {
    expect(await view.endpoints()).to.deep.equal(pods.map(({ metadata }) => metadata.name).toSorted());
    const now = await view.pods();
    expect(now.map(({ metadata }) => metadata.uid)).to.have.members(pods.map(({ metadata }) => metadata.uid));
  }

  it('GC-5 leaves nothing behind when it is removed, and Ratify’s pods as they were', async () => {
    await kubectl('delete', '-k', await writeOverlay(stand.controlPlane, SHIPPED));
    const pods = await restarted();
    expect(pods.map(shapeOf)).to.deep.equal(original.map(shapeOf));
    expect(JSON.stringify((await view.executor()).spec)).to.equal(executorsBefore);
    for (const kind of ['executors', 'namespacedexecutors']) {
      const patch = ['--type=json', '--patch-file', path('crds/status-patch-reverse.yaml')];
      await kubectl('patch', 'crd', `${kind}.${EXECUTOR_GROUP}`, ...patch);
    }
    expect(JSON.stringify((await view.executor()).spec)).to.equal(executorsBefore);
    const kinds =
      'clusterroles,clusterrolebindings,roles,rolebindings,serviceaccounts,deployments,poddisruptionbudgets,networkpolicies,' +
      'customresourcedefinitions,validatingadmissionpolicies,mutatingadmissionpolicies';
    const left = await kubectl(
      'get',
      kinds,
      '-A',
      '-l',
      'app.kubernetes.io/part-of=executor-status',
      '-o',
      'name',
    );
    expect(left.trim()).to.equal('');
    const leases = await inNamespace('get', 'leases', '-o', 'name');
    expect(leases.trim()).to.equal('');
  });

  /** A pod's spec without what every pod has for itself. */
  function shapeOf({ spec }: ClusterPod): string {
    return JSON.stringify(spec).replaceAll(/kube-api-access-\w+/g, 'token');
  }
});

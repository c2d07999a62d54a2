import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTOR_GROUP, reportName } from '@executor-status/api';
import { expect } from 'chai';
import { executorManifest, refOf } from '../integration/executor-manifest.ts';
import { type ApiClient, type Manifest, MERGE_PATCH } from '../support/control-plane.ts';
import { HELM_BUILD_MS, helm } from '../support/helm.ts';
import { type Overlay, replacing, writeOverlay } from '../support/kustomize-overlay.ts';
import { ratifyDeployment, ratifyPodTemplate } from '../support/ratify-deployment.ts';
import { ratifyRights } from '../support/ratify-rights.ts';
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

/** Ratify as its chart installs it, with one folder of certificates a pod, so that the pods can differ. */
const RATIFY = ratifyDeployment({
  namespace: NAMESPACE,
  image: RATIFY_IMAGE,
  container: {
    ports: [{ name: 'healthz', containerPort: 9099 }],
    readinessProbe: { httpGet: { path: '/readyz', port: 'healthz' }, periodSeconds: 2 },
  },
});
RATIFY.spec.template.spec = {
  ...RATIFY.spec.template.spec,
  volumes: RATIFY.spec.template.spec.volumes.map((volume) =>
    volume.name === 'notation-certs' ? { name: volume.name, emptyDir: {} } : volume,
  ),
};

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

  /** Waits for a status that is made of these pods and no others. */
  const counted = (pods: readonly ClusterPod[]) => {
    const uids = pods.map(({ metadata }) => metadata.uid).toSorted();
    return view.told('these pods to count', ({ status }) => {
      const shown = status?.byPod?.map(({ podUID }) => podUID).toSorted();
      return status?.builds === `${uids.length}/${uids.length}` && String(shown) === String(uids);
    });
  };

  const aggregatorsRun = () =>
    inNamespace('rollout', 'status', 'deployment/status-aggregator', '--timeout=180s');

  async function patchExecutorCrds(file: string): Promise<void> {
    for (const kind of ['executors', 'namespacedexecutors']) {
      const patch = ['--type=json', '--patch-file', path(file)];
      await kubectl('patch', 'crd', `${kind}.${EXECUTOR_GROUP}`, ...patch);
    }
  }

  it('runs Ratify as its chart installs it, in a restricted namespace', async () => {
    await stand.controlPlane.apply([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
      } as Manifest,
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace: NAMESPACE } },
      ...ratifyRights({ namespace: NAMESPACE, account: ACCOUNT }),
    ]);
    for (const kind of ['executors', 'namespacedexecutors']) {
      await kubectl('apply', '-f', path(`test/fixtures/ratify-crds/${kind}.json`));
    }
    await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'ratify', namespace: NAMESPACE },
      spec: { selector: { 'app.kubernetes.io/name': 'ratify-gatekeeper-provider' }, ports: [{ port: 6001 }] },
    };
    await stand.controlPlane.apply([
      RATIFY,
      service,
      executorManifest(refOf('default'), EXECUTOR_GROUP, { files: [CERTS] }),
    ]);
    original = await view.settled(3);
    executorsBefore = JSON.stringify((await view.executor()).spec);
    expect(original.map(sidecarOf)).to.deep.equal([undefined, undefined, undefined]);
  });

  it('PK-2 SE-4 reports from every pod after an apply and one restart', async () => {
    await install(SHIPPED);
    await patchExecutorCrds('crds/status-patch.yaml');
    await aggregatorsRun();
    const pods = await restarted();
    expect(pods.map((pod) => sidecarOf(pod)?.name)).to.deep.equal(Array(3).fill('executor-writer'));
    expect(pods.map(shapeWithoutSidecar)).to.deep.equal(original.map(shapeOf));
    await counted(pods);
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

  it('S6 GC-1 follows a rollout, and never says meanwhile that the executor fails', async () => {
    const since = await stand.controlPlane.audit.mark();
    const pods = await restarted();
    await counted(pods);
    await waitUntil(async () => (await view.reports()).length === 3, {
      what: 'the reports of the old pods to go',
      deadlineMs: 60_000,
    });
    const writes = await stand.controlPlane.audit.entries({
      since,
      resource: 'executors',
      subresource: 'status',
    });
    const sent = writes.map(
      ({ body }) => body as { readonly status?: { readonly succeeded?: boolean; readonly error?: string } },
    );
    // On a busy machine a new pod may need longer than its grace; that it says nothing is said of it rightly.
    const failed = sent.filter(
      ({ status }) => status?.succeeded === false && !status.error?.includes('no report from'),
    );
    expect(failed).to.deep.equal([]);
  });

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
    await aggregatorsRun();
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
    const version = await sliceOf(pods);
    await waitUntil(parked, { what: 'all sidecars to be parked', deadlineMs: 60_000 });
    await expectAllServed(pods);
    expect(await sliceOf(pods)).to.equal(version);
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
      const version = await sliceOf(fresh);
      await waitUntil(parked, { what: 'all sidecars to be parked', deadlineMs: 60_000 });
      await expectAllServed(fresh);
      await install(SHIPPED);
      await counted(fresh);
      await expectAllServed(fresh);
      expect(await sliceOf(fresh)).to.equal(version);
    });
  }

  /** Waits until the EndpointSlice has these pods and no others, and returns its version. */
  async function sliceOf(pods: readonly ClusterPod[]): Promise<string> {
    const names = pods.map(({ metadata }) => metadata.name).toSorted();
    return await waitUntil(
      async () => {
        const { version, all, ready } = await view.slice();
        return String(all) === String(names) && String(ready) === String(names) ? version : undefined;
      },
      { what: 'the EndpointSlice to have the new pods alone', deadlineMs: SETTLED_MS },
    );
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
    await patchExecutorCrds('crds/status-patch-reverse.yaml');
    expect(JSON.stringify((await view.executor()).spec)).to.equal(executorsBefore);
    await nothingIsLeft();
  });

  /** Of all that is ours; Helm's own Secrets are none of it. */
  async function nothingIsLeft(): Promise<void> {
    const kinds =
      'clusterroles,clusterrolebindings,roles,rolebindings,serviceaccounts,deployments,poddisruptionbudgets,networkpolicies,' +
      'customresourcedefinitions,validatingadmissionpolicies,validatingadmissionpolicybindings,mutatingadmissionpolicies,' +
      'mutatingadmissionpolicybindings';
    const ours = ['-A', '-l', 'app.kubernetes.io/part-of=executor-status', '-o', 'name'];
    expect((await kubectl('get', kinds, ...ours)).trim()).to.equal('');
    expect((await inNamespace('get', 'leases', '-o', 'name')).trim()).to.equal('');
  }

  describe('with a Deployment that is patched', () => {
    const aside: Overlay = { ...SHIPPED, components: ['manifests/components/without-injection'] };
    const ratify = (...components: readonly string[]): Overlay => ({
      namespace: NAMESPACE,
      files: { 'ratify.yaml': RATIFY },
      components: components.map((component) => `manifests/components/${component}`),
    });

    it('PK-2 R6 reports from every pod', async () => {
      await patchExecutorCrds('crds/status-patch.yaml');
      await install(aside);
      await aggregatorsRun();
      const before = new Set((await view.pods()).map(({ metadata }) => metadata.uid));
      await install(ratify('patch-ratify', 'patch-ratify-cache'));
      const pods = await view.settled(3, (pod) => !before.has(pod.metadata.uid));
      expect(pods.map((pod) => sidecarOf(pod)?.name)).to.deep.equal(Array(3).fill('executor-writer'));
      await counted(pods);
    });

    it('PK-2 GC-5 gives the old pods back', async () => {
      await install(ratify());
      const pods = await view.settled(3, (pod) => sidecarOf(pod) === undefined);
      expect(pods.map(shapeOf)).to.deep.equal(original.map(shapeOf));
      await kubectl('delete', '-k', await writeOverlay(stand.controlPlane, aside));
      await patchExecutorCrds('crds/status-patch-reverse.yaml');
      await nothingIsLeft();
    });
  });

  describe('with Helm', () => {
    let run: Awaited<ReturnType<typeof helm>>;
    let ratify: ApiClient;

    before(async function () {
      this.timeout(HELM_BUILD_MS);
      run = await helm((line) => process.stderr.write(`    ${line}\n`));
      const account = { namespace: NAMESPACE, serviceAccount: ACCOUNT };
      ratify = stand.controlPlane.as(await stand.controlPlane.accountToken(account));
      await patchExecutorCrds('crds/status-patch.yaml');
    });

    async function call(...args: readonly string[]): Promise<void> {
      const env = { KUBECONFIG: stand.controlPlane.kubeconfig };
      const { code, stderr } = await run([...args, '--namespace', NAMESPACE], env);
      expect(code, stderr).to.equal(0);
    }

    async function upgrade(values: object): Promise<void> {
      const file = join(stand.controlPlane.directory, 'values.json');
      await writeFile(file, JSON.stringify(values));
      // Without --reset-values no values at all would mean those of the last time.
      const flags = ['--install', '--reset-values', '-f', file];
      await call('upgrade', 'executor-status', path('charts/executor-status'), ...flags);
    }

    async function ratifyMay(write: string, wanted: boolean): Promise<void> {
      const target = `PATCH /apis/${EXECUTOR_GROUP}/v2alpha1/executors/default${write === 'status' ? '/status' : ''}`;
      const body = write === 'status' ? { status: { succeeded: true } } : { spec: { scopes: ['a.example'] } };
      const options = { contentType: MERGE_PATCH, query: { dryRun: 'All' } };
      await waitUntil(
        async () => (await ratify.request(target, body, options)).code === (wanted ? 200 : 403),
        {
          what: `Ratify ${wanted ? 'to be' : 'not to be'} allowed to write the ${write}`,
          deadlineMs: 30_000,
        },
      );
    }

    it('PK-1 R6 brings the writer alone', async () => {
      await upgrade({ statusAggregator: { enabled: false } });
      await admits((sidecar) => sidecar !== undefined);
      const uids = (await restarted()).map(({ metadata }) => metadata.uid);
      const reports = await waitUntil(
        async () => {
          const all = (await view.reports()).filter(({ status }) => status !== undefined);
          return all.length === 3 ? all : undefined;
        },
        { what: 'three reports', deadlineMs: 60_000 },
      );
      expect(reports.map(({ spec }) => spec.pod.uid)).to.have.members(uids);
      expect(await inNamespace('get', 'deployments', '-o', 'name')).not.to.contain('status-aggregator');
      await ratifyMay('status', true);
    });

    it('PK-1 R6 adds the aggregator', async () => {
      await upgrade({ fence: { enabled: false } });
      await aggregatorsRun();
      await counted(await view.pods());
      await ratifyMay('status', true);
    });

    it('PK-1 R6 SE-3 adds the fence', async () => {
      await upgrade({});
      await ratifyMay('status', false);
      await ratifyMay('spec', true);
    });

    it('PK-1 R6 SE-1 narrows Ratify', async () => {
      await upgrade({ narrowRatify: { enabled: true } });
      await ratifyMay('spec', false);
    });

    it('PK-1 R6 OP-1 adds readiness', async () => {
      await upgrade({ executorWriter: { readinessPolicy: 'Strict' } });
      await ratifyMay('spec', true);
      await policyKnows('Strict');
      const pods = await restarted();
      expect(pods.every((pod) => sidecarOf(pod)?.readinessProbe !== undefined)).to.equal(true);
      await counted(pods);
    });

    it('PK-1 GC-5 leaves nothing behind', async () => {
      await call('uninstall', 'executor-status', '--wait');
      const pods = await restarted();
      expect(pods.map(shapeOf)).to.deep.equal(original.map(shapeOf));
      await patchExecutorCrds('crds/status-patch-reverse.yaml');
      await nothingIsLeft();
    });
  });

  /** A pod's spec without what every pod has for itself. */
  function shapeOf({ spec }: Pick<ClusterPod, 'spec'>): unknown {
    return JSON.parse(JSON.stringify(spec).replaceAll(/kube-api-access-\w+/g, 'token'));
  }

  /** The same, without what is ours. */
  function shapeWithoutSidecar({ spec }: ClusterPod): unknown {
    const { initContainers = [], volumes, ...rest } = spec;
    expect(initContainers.map(({ name }) => name)).to.deep.equal(['executor-writer']);
    return shapeOf({
      spec: { ...rest, volumes: volumes.filter(({ name }) => !name.startsWith('executor-writer')) },
    });
  }
});

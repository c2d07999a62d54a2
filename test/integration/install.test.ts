import { fileURLToPath } from 'node:url';
import { EXECUTOR_GROUP } from '@executor-status/api';
import { expect } from 'chai';
import {
  type ApiObject,
  type ControlPlane,
  type Manifest,
  startControlPlane,
} from '../support/control-plane.ts';
import { type Overlay, renderOverlay, replacing, writeOverlay } from '../support/kustomize-overlay.ts';
import { type RatifyDeployment, ratifyDeployment, ratifyPodTemplate } from '../support/ratify-deployment.ts';
import { waitUntil } from '../support/wait-until.ts';
import { executorManifest, executorPath, refOf } from './executor-manifest.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const EXECUTOR_CRDS = ['executors', 'namespacedexecutors'].map((name) => path(`crds/${name}.yaml`));
const RESTRICTED = { 'pod-security.kubernetes.io/enforce': 'restricted' };

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly envFrom?: readonly unknown[];
  readonly volumeMounts?: readonly Readonly<Record<string, unknown>>[];
  readonly readinessProbe?: unknown;
  readonly securityContext?: unknown;
  readonly resources?: unknown;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  readonly imagePullSecrets?: readonly unknown[];
}

describe('the installation', function () {
  // kubectl waits until a CRD is gone, for which an API server takes a minute now and then.
  this.timeout(300_000);
  let controlPlane: ControlPlane;
  let namespace: string;

  before(async function () {
    this.timeout(120_000);
    controlPlane = await startControlPlane({ manifests: EXECUTOR_CRDS });
    await controlPlane.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gatekeeper-system' } },
      executorManifest(refOf('kept'), EXECUTOR_GROUP),
    ]);
    namespace = await controlPlane.createNamespace('ratify', RESTRICTED);
    await makeAccount(namespace);
  });

  after(async () => controlPlane?.stop());

  async function makeAccount(where: string): Promise<void> {
    await controlPlane.apply([
      {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'ratify-gatekeeper-provider-admin', namespace: where },
      },
    ]);
  }

  async function kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await controlPlane.kubectl(...args);
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  /** What of ours is in the cluster, by the label that everything of ours bears. */
  async function ours(): Promise<readonly string[]> {
    const kinds =
      'clusterroles,clusterrolebindings,roles,rolebindings,serviceaccounts,deployments,poddisruptionbudgets,' +
      'networkpolicies,leases,configmaps,services,customresourcedefinitions,validatingadmissionpolicies,' +
      'validatingadmissionpolicybindings,mutatingadmissionpolicies,mutatingadmissionpolicybindings';
    const selector = ['-l', 'app.kubernetes.io/part-of=executor-status'];
    const out = await kubectl('get', kinds, '-A', ...selector, '-o', 'name', '--ignore-not-found');
    return out.split('\n').filter((line) => line !== '');
  }

  const combinations: Record<string, { readonly components: readonly string[]; readonly has: string }> = {
    'the writer alone': { components: ['without-aggregator'], has: 'own-pod writer injection' },
    'the writer and the aggregator': {
      components: ['without-fence'],
      has: 'own-pod writer injection aggregator',
    },
    'the writer, the aggregator and the fence': {
      components: [],
      has: 'own-pod writer injection aggregator fence',
    },
    'all with readiness': {
      components: ['readiness-strict'],
      has: 'own-pod writer injection aggregator fence readiness',
    },
    'all without the injection by policy': {
      components: ['without-injection'],
      has: 'own-pod writer aggregator fence',
    },
    'the writer with readiness': {
      components: ['without-aggregator', 'readiness-fail-if-never-built'],
      has: 'own-pod writer injection readiness',
    },
    'all with Ratify narrowed': {
      components: ['narrow-ratify'],
      has: 'own-pod writer injection aggregator fence narrowing',
    },
    'all for config.ratify.dev': {
      components: ['config-ratify-dev'],
      has: 'own-pod writer injection aggregator fence',
    },
  };

  for (const [name, { components, has }] of Object.entries(combinations)) {
    it(`R6 PK-2 GC-5 install and remove ${name}`, async () => {
      const overlay: Overlay = {
        namespace,
        resources: ['manifests'],
        components: components.map((component) => `manifests/components/${component}`),
      };
      const objects = (await renderOverlay(controlPlane, overlay)).filter(
        ({ kind }) => kind !== 'CustomResourceDefinition',
      );
      expect(partsOf(objects)).to.have.members(has.split(' '));
      const folder = await writeOverlay(controlPlane, overlay);
      const executor = executorPath(refOf('kept'), EXECUTOR_GROUP);
      const before = await controlPlane.admin.call(`GET ${executor}`);

      await kubectl('apply', '-k', folder);
      expect(await ours()).to.have.lengthOf(objects.length + 1);
      await kubectl('delete', '-k', folder);

      await waitUntil(async () => (await ours()).length === 0, {
        what: 'everything of ours to be gone',
        deadlineMs: 120_000,
      });
      expect(await controlPlane.admin.call(`GET ${executor}`)).to.deep.equal(before);
    });
  }

  describe('with the injection by policy', () => {
    before(async () => {
      await kubectl('apply', '-k', await writeOverlay(controlPlane, { namespace, resources: ['manifests'] }));
      await waitUntil(async () => sidecarOf(await podOf()) !== undefined, {
        what: 'the policy to be in force',
      });
    });

    after(async () => {
      await kubectl(
        'delete',
        '-k',
        await writeOverlay(controlPlane, { namespace, resources: ['manifests'] }),
      );
    });

    /** What the API server would store for a pod of a Ratify like this. */
    async function podOf(
      fields: Partial<RatifyDeployment> & { readonly labels?: Readonly<Record<string, string>> } = {},
    ): Promise<PodSpec> {
      const where = fields.namespace ?? namespace;
      const { metadata, spec } = ratifyPodTemplate({ namespace: where, ...fields });
      const pod = { metadata: { name: 'ratify-1', labels: { ...metadata.labels, ...fields.labels } }, spec };
      const { spec: stored } = await controlPlane.admin.call<{ spec: PodSpec }>(
        `POST /api/v1/namespaces/${where}/pods`,
        pod,
        { query: { dryRun: 'All' } },
      );
      return stored;
    }

    it('PK-2 SE-4 put the sidecar into a pod of Ratify, in a restricted namespace', async () => {
      const sidecar = sidecarOf(await podOf());
      expect(sidecar).to.deep.include({
        name: 'executor-writer',
        image: 'registry.example/executor-status/executor-writer:0.1.0',
        restartPolicy: 'Always',
        args: ['--executor-group=config.ratify.sh'],
        resources: { requests: { cpu: '10m', memory: '80Mi' }, limits: { memory: '128Mi' } },
      });
      expect(sidecar).not.to.have.property('readinessProbe');
      expect(sidecar).not.to.have.property('startupProbe');
      expect(sidecar?.securityContext).not.to.have.property('runAsUser');
    });

    it('PK-2 copy the environment, and add who the pod is', async () => {
      const envFrom = [{ configMapRef: { name: 'proxy', optional: true } }];
      const env = [
        { name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' },
        { name: 'POD_NAME', value: 'of Ratify' },
      ];
      const sidecar = sidecarOf(await podOf({ container: { env, envFrom } }));
      expect(sidecar?.envFrom).to.deep.equal(envFrom);
      expect(sidecar?.env?.map(({ name }) => name)).to.deep.equal([
        'HTTPS_PROXY',
        'POD_NAME',
        'POD_UID',
        'POD_NAMESPACE',
        'NODE_NAME',
      ]);
      expect(sidecar?.env?.[1]?.valueFrom).to.deep.equal({
        fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' },
      });
    });

    it('PK-2 copy the mounts read-only, without Ratify’s keys, and with a cache of its own', async () => {
      const { volumes, ...pod } = await podOf();
      const mounts = sidecarOf(pod)?.volumeMounts?.filter(
        ({ name }) => !String(name).startsWith('kube-api-access'),
      );
      expect(mounts).to.deep.equal([
        { name: 'executor-writer-sigstore', mountPath: '/home/nonroot/.sigstore' },
        { name: 'notation-certs', mountPath: '/usr/local/notation/certs', readOnly: true },
      ]);
      expect(volumes).to.deep.include({
        name: 'executor-writer-sigstore',
        emptyDir: { sizeLimit: '16Mi' },
      });
    });

    it('PK-2 give it the token that Ratify has', async () => {
      const mounts = sidecarOf(await podOf())?.volumeMounts ?? [];
      expect(mounts.map(({ mountPath }) => mountPath)).to.include(
        '/var/run/secrets/kubernetes.io/serviceaccount',
      );
    });

    it('PK-2 take a pod with other names, other init containers, and neither environment nor mounts', async () => {
      const { containers, initContainers, volumes } = await podOf({
        container: { name: 'other', env: undefined, volumeMounts: undefined },
        pod: {
          volumes: undefined,
          initContainers: [
            { ...ratifyPodTemplate({ namespace }).spec.containers[0], name: 'first', volumeMounts: [] },
          ],
        },
      });
      expect(containers.map(({ name }) => name)).to.deep.equal(['other']);
      expect(initContainers?.map(({ name }) => name)).to.deep.equal(['first', 'executor-writer']);
      expect(volumes).to.have.lengthOf(1);
    });

    it('PK-2 leave a pod alone that has opted out, has the sidecar, or is none of Ratify’s', async () => {
      const optedOut = await podOf({ labels: { 'status.ratify.sh/opt-out': 'true' } });
      expect(sidecarOf(optedOut)).to.equal(undefined);
      const [ratify] = ratifyPodTemplate({ namespace }).spec.containers;
      const own = {
        ...ratify,
        name: 'executor-writer',
        image: 'registry.example/own:1',
        restartPolicy: 'Always',
      };
      const patched = await podOf({ pod: { initContainers: [own] } });
      expect(patched.initContainers?.map(({ image }) => image)).to.deep.equal(['registry.example/own:1']);
      expect(sidecarOf(await podOf({ labels: { 'app.kubernetes.io/name': 'other' } }))).to.equal(undefined);
    });

    it('PK-2 leave pods of other namespaces alone', async () => {
      const elsewhere = await controlPlane.createNamespace('elsewhere');
      await makeAccount(elsewhere);
      expect(sidecarOf(await podOf({ namespace: elsewhere }))).to.equal(undefined);
    });

    it('PK-2 take images, secrets, flags and the readiness policy as parameters', async () => {
      const policy = { kind: 'MutatingAdmissionPolicy', name: 'executor-writer' };
      const parameters = {
        image: `'mirror.example/executor-writer:9'`,
        imagePullSecrets: `['mirror', 'second']`,
        arguments: `['--log-level=debug']`,
        readinessPolicy: `'Strict'`,
      };
      const patches = [replacing(policy, await variablePaths(parameters))];
      await kubectl(
        'apply',
        '-k',
        await writeOverlay(controlPlane, { namespace, resources: ['manifests'], patches }),
      );
      const pod = await waitUntil(
        async () => {
          const changed = await podOf();
          return sidecarOf(changed)?.image.startsWith('mirror.example') === true ? changed : undefined;
        },
        { what: 'the parameters to be in force' },
      );
      expect(pod.imagePullSecrets).to.deep.equal([{ name: 'mirror' }, { name: 'second' }]);
      expect(sidecarOf(pod)?.args).to.deep.equal([
        '--executor-group=config.ratify.sh',
        '--readiness-policy=Strict',
        '--log-level=debug',
      ]);
      expect(sidecarOf(pod)?.readinessProbe).to.deep.include({ periodSeconds: 5, failureThreshold: 1 });
      const more = await podOf({ pod: { imagePullSecrets: [{ name: 'of-ratify' }] } });
      expect(more.imagePullSecrets).to.deep.equal([
        { name: 'of-ratify' },
        { name: 'mirror' },
        { name: 'second' },
      ]);
    });

    /** Where the variables of the policy are, and what each shall be. */
    async function variablePaths(values: Readonly<Record<string, string>>): Promise<Record<string, string>> {
      const rendered = await renderOverlay(controlPlane, { resources: ['manifests/injection'] });
      const policy = rendered.find(({ kind }) => kind === 'MutatingAdmissionPolicy') as unknown as {
        readonly spec: { readonly variables: readonly { readonly name: string }[] };
      };
      return Object.fromEntries(
        Object.entries(values).map(([name, value]) => {
          const index = policy.spec.variables.findIndex((variable) => variable.name === name);
          expect(index, name).to.be.at.least(0);
          return [`/spec/variables/${index}/expression`, value];
        }),
      );
    }
  });

  describe('with a patch of Ratify’s Deployment', () => {
    const patched = (components: readonly string[], fields: Partial<RatifyDeployment> = {}): Overlay => ({
      namespace,
      files: { 'ratify.yaml': ratifyDeployment({ name: 'my-ratify', namespace, ...fields }) },
      components: components.map((component) => `manifests/components/${component}`),
    });

    async function deploymentOf(overlay: Overlay): Promise<PodSpec> {
      const [deployment] = (await renderOverlay(controlPlane, overlay)) as unknown as readonly {
        readonly spec: { readonly template: { readonly spec: PodSpec } };
      }[];
      if (deployment === undefined) throw new Error('kustomize gives no Deployment');
      return deployment.spec.template.spec;
    }

    it('PK-2 copy what the policy copies', async () => {
      const envFrom = [{ configMapRef: { name: 'proxy', optional: true } }];
      const components = ['patch-ratify', 'patch-ratify-env-from', 'patch-ratify-cache'];
      const sidecar = sidecarOf(await deploymentOf(patched(components, { container: { envFrom } })));
      expect(sidecar?.env?.map(({ name }) => name)).to.have.members([
        'RATIFY_NAMESPACE',
        'RATIFY_NAME',
        'RATIFY_LOG_LEVEL',
        'POD_NAME',
        'POD_UID',
        'POD_NAMESPACE',
        'NODE_NAME',
      ]);
      expect(sidecar?.envFrom).to.deep.equal(envFrom);
      expect(sidecar?.volumeMounts).to.have.deep.members([
        { name: 'executor-writer-sigstore', mountPath: '/home/nonroot/.sigstore' },
        { name: 'notation-certs', mountPath: '/usr/local/notation/certs', readOnly: true },
      ]);
    });

    it('PK-2 SE-4 be taken by the API server, and be undone by an apply without it', async () => {
      const read = () =>
        controlPlane.admin.call<ApiObject & { spec: { template: unknown } }>(
          `GET /apis/apps/v1/namespaces/${namespace}/deployments/my-ratify`,
        );
      await kubectl('apply', '-k', await writeOverlay(controlPlane, patched([])));
      const original = (await read()).spec.template;
      const components = ['patch-ratify', 'patch-ratify-cache', 'readiness-strict'];
      await kubectl('apply', '-k', await writeOverlay(controlPlane, patched(components)));
      expect((await read()).spec.template).not.to.deep.equal(original);
      await kubectl('apply', '-k', await writeOverlay(controlPlane, patched([])));
      expect((await read()).spec.template).to.deep.equal(original);
    });
  });

  it('SE-4 SE-5 HA-5 let the aggregator run in a restricted namespace, twice, and speak to few', async () => {
    const objects = await renderOverlay(controlPlane, { namespace, resources: ['manifests'] });
    const find = (kind: string) =>
      objects.find(
        (object) => object.kind === kind && object.metadata.name === 'status-aggregator',
      ) as unknown as {
        readonly spec: Readonly<Record<string, never>>;
      };
    const { replicas, template } = find('Deployment').spec as unknown as {
      readonly replicas: number;
      readonly template: { readonly metadata: object; readonly spec: object };
    };
    expect(replicas).to.equal(2);
    expect(find('PodDisruptionBudget').spec).to.deep.include({ minAvailable: 1 });
    expect(find('NetworkPolicy').spec).to.deep.include({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'status-aggregator' } },
      policyTypes: ['Ingress', 'Egress'],
    });
    await kubectl('create', 'serviceaccount', 'status-aggregator', '-n', namespace);
    const pod = { metadata: { ...template.metadata, name: 'aggregator' }, spec: template.spec };
    await controlPlane.admin.call(`POST /api/v1/namespaces/${namespace}/pods`, pod, {
      query: { dryRun: 'All' },
    });
    await kubectl('delete', 'serviceaccount', 'status-aggregator', '-n', namespace);
  });
});

const sidecarOf = ({ initContainers = [] }: PodSpec): Container | undefined =>
  initContainers.find(({ name }) => name === 'executor-writer');

/** Which parts a rendering has, by what only that part has. */
function partsOf(objects: readonly Manifest[]): readonly string[] {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const marks = {
    writer: 'Role executor-writer',
    aggregator: 'Deployment status-aggregator',
    fence: 'ValidatingAdmissionPolicy executor-status-fence',
    'own-pod': 'ValidatingAdmissionPolicy executor-status-own-pod',
    narrowing: 'ValidatingAdmissionPolicy executor-status-narrow-ratify',
    injection: 'MutatingAdmissionPolicy executor-writer',
  };
  const parts = Object.entries(marks).filter(([, mark]) => names.includes(mark));
  const readiness = /"'(Strict|FailIfNeverBuilt)'"/.test(JSON.stringify(objects)) ? ['readiness'] : [];
  return [...parts.map(([part]) => part), ...readiness];
}

import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { chartTemplates } from '../../scripts/chart/chart-templates.ts';
import { type ControlPlane, type Manifest, startControlPlane } from '../support/control-plane.ts';
import { HELM_BUILD_MS, helm } from '../support/helm.ts';
import { type Overlay, renderOverlay, replacing } from '../support/kustomize-overlay.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const CHART = path('charts/executor-status');
const CRD = 'customresourcedefinitions/executorpodstatuses.status.ratify.sh';

type Values = Readonly<Record<string, unknown>>;

interface Equal {
  readonly values: Values;
  /** The overlay that gives the same. */
  readonly overlay: Omit<Overlay, 'resources' | 'namespace'>;
}

const component = (...names: readonly string[]) => names.map((name) => `manifests/components/${name}`);
const deployment = { kind: 'Deployment', name: 'status-aggregator' };
const injection = { kind: 'MutatingAdmissionPolicy', name: 'executor-writer' };
const RENAMED_ACCOUNT = replacing(
  { kind: 'ServiceAccount', name: 'ratify-gatekeeper-provider-admin' },
  { '/metadata/name': 'my-ratify' },
);
const variable = (at: number) => `/spec/variables/${at}/expression`;

describe('the Helm chart', () => {
  let controlPlane: ControlPlane;
  let namespace: string;
  let run: Awaited<ReturnType<typeof helm>>;

  before(async function () {
    this.timeout(HELM_BUILD_MS);
    run = await helm((line) => process.stderr.write(`    ${line}\n`));
    controlPlane = await startControlPlane({
      manifests: [path('crds/executors.yaml'), path('crds/namespacedexecutors.yaml')],
    });
    namespace = await controlPlane.createNamespace('chart', {
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  after(async () => controlPlane?.stop());

  async function valuesFile(values: Values): Promise<string> {
    const file = join(await mkdtemp(join(controlPlane.directory, 'values-')), 'values.yaml');
    await writeFile(file, JSON.stringify(values));
    return file;
  }

  const template = async (values: Values) =>
    run([
      'template',
      'status',
      CHART,
      '--namespace',
      namespace,
      '--kube-version',
      '1.36',
      '-f',
      await valuesFile(values),
    ]);

  async function rendered(values: Values): Promise<readonly Manifest[]> {
    const { code, stdout, stderr } = await template(values);
    expect(code, stderr).to.equal(0);
    return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
  }

  const equal: Record<string, Equal> = {
    'as shipped': { values: {}, overlay: {} },
    'the writer alone': {
      values: { statusAggregator: { enabled: false } },
      overlay: { components: component('without-aggregator') },
    },
    'without the fence': {
      values: { fence: { enabled: false } },
      overlay: { components: component('without-fence') },
    },
    'without the injection': {
      values: { injection: { enabled: false } },
      overlay: { components: component('without-injection') },
    },
    'with strict readiness': {
      values: { executorWriter: { readinessPolicy: 'Strict' } },
      overlay: { components: component('readiness-strict') },
    },
    'with readiness of what was built once': {
      values: { executorWriter: { readinessPolicy: 'FailIfNeverBuilt' } },
      overlay: { components: component('readiness-fail-if-never-built') },
    },
    'for config.ratify.dev': {
      values: { executorGroup: 'config.ratify.dev' },
      overlay: { components: component('config-ratify-dev') },
    },
    'the writer alone, for config.ratify.dev, with readiness': {
      values: {
        executorGroup: 'config.ratify.dev',
        statusAggregator: { enabled: false },
        executorWriter: { readinessPolicy: 'Strict' },
      },
      overlay: { components: component('without-aggregator', 'config-ratify-dev', 'readiness-strict') },
    },
    'with Ratify narrowed': {
      values: { narrowRatify: { enabled: true } },
      overlay: { components: component('narrow-ratify') },
    },
    'with Ratify narrowed, under another account, for config.ratify.dev': {
      values: {
        narrowRatify: { enabled: true },
        executorGroup: 'config.ratify.dev',
        ratify: { serviceAccountName: 'my-ratify' },
      },
      overlay: { components: component('narrow-ratify', 'config-ratify-dev'), patches: [RENAMED_ACCOUNT] },
    },
    'the writer alone, although Ratify is to be narrowed': {
      values: { narrowRatify: { enabled: true }, statusAggregator: { enabled: false } },
      overlay: { components: component('narrow-ratify', 'without-aggregator') },
    },
    'with another account of Ratify': {
      values: { ratify: { serviceAccountName: 'my-ratify' } },
      overlay: { patches: [RENAMED_ACCOUNT] },
    },
    'with images of a mirror': {
      values: {
        executorWriter: { image: 'mirror.example/writer:1', imagePullSecrets: ['mirror'] },
        statusAggregator: { image: 'mirror.example/aggregator:1', imagePullSecrets: ['mirror'] },
      },
      overlay: {
        patches: [
          replacing(injection, { [variable(0)]: `'mirror.example/writer:1'`, [variable(2)]: '["mirror"]' }),
          replacing(deployment, { '/spec/template/spec/containers/0/image': 'mirror.example/aggregator:1' }),
          {
            target: deployment,
            patch: JSON.stringify([
              { op: 'add', path: '/spec/template/spec/imagePullSecrets', value: [{ name: 'mirror' }] },
            ]),
          },
        ],
      },
    },
    'with settings of both programs': {
      values: {
        executorWriter: { arguments: ['--log-level=debug'] },
        statusAggregator: { arguments: ['--detail=failing'], replicas: 3, priorityClassName: 'high' },
      },
      overlay: {
        patches: [
          replacing(injection, { [variable(4)]: '["--log-level=debug"]' }),
          replacing(deployment, { '/spec/replicas': 3 }),
          {
            target: deployment,
            patch: JSON.stringify([
              { op: 'add', path: '/spec/template/spec/priorityClassName', value: 'high' },
              { op: 'add', path: '/spec/template/spec/containers/0/args/-', value: '--detail=failing' },
            ]),
          },
        ],
      },
    },
    'with other names of Ratify': {
      values: {
        ratify: {
          containerName: 'provider',
          podLabels: { 'app.kubernetes.io/name': null, app: 'ratify', tier: 'security' },
          privateMounts: ['/tls', '/client'],
        },
      },
      overlay: {
        patches: [
          replacing(injection, {
            '/spec/matchConstraints/objectSelector/matchLabels': { app: 'ratify', tier: 'security' },
            [variable(6)]: `'provider'`,
            [variable(7)]: '["/tls","/client"]',
          }),
          replacing(deployment, {
            '/spec/template/spec/containers/0/args/1': '--pod-selector=app=ratify,tier=security',
          }),
        ],
      },
    },
  };

  for (const [name, { values, overlay }] of Object.entries(equal)) {
    it(`PK-1 R6 gives what kustomize gives, and what the API server takes: ${name}`, async () => {
      const objects = await rendered(values);
      const wanted = await renderOverlay(controlPlane, { ...overlay, namespace, resources: ['manifests'] });
      expect(byName(objects)).to.deep.equal(byName(wanted));
      const file = join(await mkdtemp(join(controlPlane.directory, 'objects-')), 'objects.json');
      await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
      const { code, stderr } = await controlPlane.kubectl(
        'apply',
        '--server-side',
        '--dry-run=server',
        '-f',
        file,
      );
      expect(code, stderr).to.equal(0);
    });
  }

  const refused: Record<string, { readonly values: Values; readonly says: string }> = {
    'a misspelt key': { values: { statusAgregator: {} }, says: 'statusAgregator' },
    'a misspelt key inside': { values: { executorWriter: { imag: 'a' } }, says: 'imag' },
    'an unknown policy': {
      values: { executorWriter: { readinessPolicy: 'strict' } },
      says: 'readinessPolicy',
    },
    'an image that would end the text in CEL': {
      values: { executorWriter: { image: "a'+'b" } },
      says: 'image',
    },
  };
  for (const [name, { values, says }] of Object.entries(refused)) {
    it(`PK-1 refuses ${name}`, async () => {
      const { code, stderr } = await template(values);
      expect(code).not.to.equal(0);
      expect(stderr).to.contain(says);
    });
  }

  it('PK-1 brings the report CRD up to date with an upgrade, and leaves nothing when removed', async () => {
    const earlier = join(await mkdtemp(join(controlPlane.directory, 'earlier-')), 'executor-status');
    await cp(CHART, earlier, { recursive: true });
    const file = join(earlier, 'templates/report-crd.yaml');
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace('shortNames: [exps]', 'shortNames: [older]'),
    );
    const env = { KUBECONFIG: controlPlane.kubeconfig };
    const call = async (...args: readonly string[]) => {
      const { code, stderr } = await run([...args, '--namespace', namespace], env);
      expect(code, stderr).to.equal(0);
    };
    const shortNames = async () =>
      (
        await controlPlane.admin.call<{ spec: { names: { shortNames: readonly string[] } } }>(
          `GET /apis/apiextensions.k8s.io/v1/${CRD}`,
        )
      ).spec.names.shortNames;
    await call('install', 'status', earlier);
    expect(await shortNames()).to.deep.equal(['older']);
    await call('upgrade', 'status', CHART);
    expect(await shortNames()).to.deep.equal(['exps']);
    await call('uninstall', 'status', '--wait');
    const { stdout } = await controlPlane.kubectl(
      'get',
      'clusterroles,roles,deployments,customresourcedefinitions,mutatingadmissionpolicies,validatingadmissionpolicies',
      '-A',
      '-l',
      'app.kubernetes.io/part-of=executor-status',
      '-o',
      'name',
    );
    expect(stdout).to.equal('');
  });

  it('is made of the manifests as they are', async () => {
    for (const { path: file, text } of await chartTemplates(path('.'))) {
      expect(await readFile(path(file), 'utf8'), `${file}: run "npm run fix"`).to.equal(text);
    }
  });
});

/** Objects by kind and name; without the namespace that kustomize gives to policies, which have none. */
function byName(objects: readonly Manifest[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    objects.map(({ metadata: { namespace, ...metadata }, ...object }) => [
      `${object.kind} ${metadata.name}`,
      object.kind.includes('AdmissionPolicy')
        ? { ...object, metadata }
        : { ...object, metadata: { namespace, ...metadata } },
    ]),
  );
}

import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTOR_GROUP, type ExecutorRef } from '@executor-status/api';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type ControlPlane, MERGE_PATCH, startControlPlane } from '../support/control-plane.ts';
import { codeBlocks, shellFor } from '../support/docs-shell.ts';
import { HELM_BUILD_MS, helmDirectory } from '../support/helm.ts';
import { ratifyDeployment } from '../support/ratify-deployment.ts';
import { waitUntil } from '../support/wait-until.ts';
import { executorManifest, executorPath, refOf } from './executor-manifest.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const PAGE = 'docs/install.md';
const NAMESPACE = 'gatekeeper-system';
const EXECUTORS = [refOf('default'), refOf('own', NAMESPACE)];
const LIST_OURS =
  'kubectl get validatingadmissionpolicies -l app.kubernetes.io/part-of=executor-status -o name';

// One story: what a reader of the page does, from top to bottom.
describe('docs/install.md, as it is written', function () {
  this.timeout(120_000);
  this.bail(true);
  let controlPlane: ControlPlane;
  let folder: string;
  let shell: (script: string) => Promise<string>;

  before(async function () {
    this.timeout(HELM_BUILD_MS);
    const helmFolder = await helmDirectory((line) => process.stderr.write(`    ${line}\n`));
    controlPlane = await startControlPlane({
      manifests: ['executors', 'namespacedexecutors'].map((kind) =>
        path(`test/fixtures/ratify-crds/${kind}.json`),
      ),
    });
    folder = await mkdtemp(join(controlPlane.directory, 'reader-'));
    for (const name of ['manifests', 'crds', 'charts']) await symlink(path(name), join(folder, name));
    const run = await shellFor(controlPlane, folder);
    shell = async (script) => {
      const { code, stdout, stderr } = await run(`PATH="${helmFolder}:$PATH"\n${script}`);
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    await controlPlane.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      ratifyDeployment({ namespace: NAMESPACE }),
      ...EXECUTORS.map((ref) => executorManifest(ref, EXECUTOR_GROUP)),
    ]);
  });

  after(async () => controlPlane?.stop());

  /** Writes the file that a block of the page is; the first comment in it is the name. */
  async function writeFileOf(heading: string, file: string): Promise<string> {
    const blocks = (['yaml', 'sh'] as const).map((language) => codeBlocks(PAGE, heading, language));
    const found = (await Promise.all(blocks)).flat().find((text) => text.includes(`# ${file}\n`));
    if (found === undefined) throw new Error(`${PAGE} does not show ${file}`);
    const to = join(folder, file);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, found);
    return to;
  }

  async function runAll(heading: string): Promise<string> {
    return await shell((await codeBlocks(PAGE, heading)).join('\n'));
  }

  /** What the aggregator would say. */
  async function becomesReady(ref: ExecutorRef): Promise<void> {
    const now = new Date().toISOString();
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'AllPodsSucceeded',
      message: '',
      lastTransitionTime: now,
    };
    const status = { succeeded: true, observedGeneration: 1, builds: '0/0', conditions: [ready] };
    await waitUntil(
      async () => {
        const at = `${executorPath(ref, EXECUTOR_GROUP)}/status`;
        const { body } = await controlPlane.admin.request(
          `PATCH ${at}`,
          { status },
          { contentType: MERGE_PATCH },
        );
        return body.status?.['conditions'] !== undefined;
      },
      { what: 'the CRD to have conditions', deadlineMs: 60_000 },
    );
  }

  const statusOf = async (ref: ExecutorRef) =>
    (await controlPlane.admin.call(`GET ${executorPath(ref, EXECUTOR_GROUP)}`)).status;

  it('DO-1 PK-2 installs with an overlay', async () => {
    await writeFileOf('2. An overlay', 'overlay/kustomization.yaml');
    const [output] = await Promise.all([runAll('3. Apply'), ...EXECUTORS.map(becomesReady)]);
    expect(output).to.contain('executor.config.ratify.sh/default condition met');
    const policy = await shell('kubectl get mutatingadmissionpolicy executor-writer -o yaml');
    expect(policy).to.contain("'registry.mine/executor-status/executor-writer:0.1.0'");
    const deployment = await shell(`kubectl -n ${NAMESPACE} get deployment status-aggregator -o yaml`);
    expect(deployment).to.contain('image: registry.mine/executor-status/status-aggregator:0.1.0');
    expect(await shell('kubectl get clusterrolebinding executor-writer -o yaml')).to.contain(
      'my-ratify-account',
    );
  });

  it('DO-1 GC-5 removes, and clears what was written last', async () => {
    await runAll('8. Remove');
    expect(await shell(LIST_OURS)).not.to.contain('executor-status');
    for (const ref of EXECUTORS) expect(await statusOf(ref)).to.deep.equal({ succeeded: true });
  });

  it('DO-1 PK-1 installs and removes with Helm', async () => {
    await runAll('4. Or with Helm');
    expect(await shell(LIST_OURS)).to.contain('executor-status-own-pod');
    const [remove = ''] = await codeBlocks(PAGE, '8. Remove');
    const [, uninstall = ''] = /# or: (helm uninstall .*)/.exec(remove) ?? [];
    await shell(uninstall);
    expect(await shell(LIST_OURS)).not.to.contain('executor-status');
  });

  it('DO-1 PK-2 patches Ratify’s Deployment behind its chart', async () => {
    const heading = '5. Without MutatingAdmissionPolicy \\(Kubernetes 1.34, 1.35\\)';
    await writeFileOf(heading, 'post-render/kustomization.yaml');
    await chmod(await writeFileOf(heading, 'post-render/run.sh'), 0o755);
    const chart = join(folder, 'ratify');
    await mkdir(join(chart, 'templates'), { recursive: true });
    await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: ratify\nversion: 2.0.0\n');
    // JSON is YAML.
    const deployment = JSON.stringify(ratifyDeployment({ namespace: NAMESPACE }));
    await writeFile(join(chart, 'templates/deployment.yaml'), deployment);
    const rendered = parse(await shell('helm template ratify ratify --post-renderer post-render/run.sh')) as {
      readonly spec: { readonly template: { readonly spec: { readonly initContainers: readonly object[] } } };
    };
    expect(rendered.spec.template.spec.initContainers).to.have.lengthOf(1);
    expect(rendered.spec.template.spec.initContainers[0]).to.deep.include({
      name: 'executor-writer',
      image: 'registry.mine/executor-status/executor-writer:0.1.0',
    });
  });
});

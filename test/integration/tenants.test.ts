import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { EXECUTOR_GROUP, EXECUTOR_VERSION } from '@executor-status/api';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type AppProcess, startApp } from '../support/app-process.ts';
import type { ApiClient, ApiObject, Manifest, Pod } from '../support/control-plane.ts';
import { codeBlocks, shellFor } from '../support/docs-shell.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { eventsOf } from './events-of.ts';
import { refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';
import { WRITER_TEST_FLAGS } from './writer-test-flags.ts';

describe('tenants of a cluster', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();
  let stage: AggregatorStage;
  let tenants: readonly [string, string];
  let pod: Pod;
  let writer: AppProcess;

  before(async () => {
    stage = await AggregatorStage.install(controlPlane());
    tenants = [await controlPlane().createNamespace('red'), await controlPlane().createNamespace('blue')];
    pod = await stage.makePod({ name: 'ratify-1' });
    writer = await startApp({
      entry: 'apps/executor-writer/src/main.ts',
      args: [
        ...WRITER_TEST_FLAGS,
        `--credentials-dir=${await controlPlane().inClusterDirectory(await controlPlane().podToken(pod))}`,
        `--executor-group=${EXECUTOR_GROUP}`,
      ],
      env: controlPlane().podEnv(pod),
    });
    await stage.start('--hide-pod-names', '--hide-node-names', '--success-hold=0s');
    for (const namespace of tenants) await allowToRead(namespace);
  });
  after(async () => {
    await writer?.stop();
    await stage?.[Symbol.asyncDispose]();
  });

  /** Gives the account `default` of the namespace the Role that the page names. */
  async function allowToRead(namespace: string): Promise<void> {
    const [block = ''] = await codeBlocks('docs/tenants.md', 'Their own executors', 'yaml');
    const role = parse(block.replace('team-a', namespace)) as Manifest;
    const { apiVersion, metadata } = role;
    const binding = {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
    };
    await controlPlane().apply([role, binding]);
  }

  const tenant = async (namespace: string): Promise<ApiClient> =>
    controlPlane().as(await controlPlane().accountToken({ namespace, serviceAccount: 'default' }));

  /** Everything that a tenant can read of us, as one text. */
  async function readableBy(namespace: string): Promise<string> {
    const client = await tenant(namespace);
    const paths = [
      `/apis/${EXECUTOR_GROUP}/${EXECUTOR_VERSION}/namespaces/${namespace}/namespacedexecutors`,
      `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
    ];
    const lists = await Promise.all(
      paths.map((path) => client.call<ApiObject & { items: readonly ApiObject[] }>(`GET ${path}`)),
    );
    return JSON.stringify(lists.map(({ items }) => items));
  }

  it('SE-7: read the status of their executors, each pod included, and nothing anywhere else', async () => {
    const [red, blue] = tenants;
    const ref = refOf('own', red);
    await stage.apply(ref);
    await stage.ready(ref, 'True/BuildsInAllPods');
    const client = await tenant(red);
    const { status } = await client.call(`GET ${stage.path(ref)}`);
    expect(status?.['byPod']).to.have.lengthOf(1);
    expect(status).to.deep.include({ builds: '1/1', succeeded: true });
    const elsewhere = [
      reportsPath(stage.namespace),
      `/api/v1/namespaces/${stage.namespace}/pods`,
      `/apis/${EXECUTOR_GROUP}/${EXECUTOR_VERSION}/namespaces/${blue}/namespacedexecutors`,
      `/apis/${EXECUTOR_GROUP}/${EXECUTOR_VERSION}/executors`,
    ];
    for (const path of elsewhere) expect((await client.request(`GET ${path}`)).code, path).to.equal(403);
  });

  it('SE-7: read nothing of other tenants, of pods or of nodes, whatever goes wrong', async () => {
    const [red, blue] = tenants;
    await stage.apply(refOf('indigo'), { spec: { stores: [{ type: 'no-such-store' }] } });
    await goWrong(red, 'crimson');
    await goWrong(blue, 'azure');
    await expectUnread(red, [blue, 'azure', 'indigo']);
    await expectUnread(blue, [red, 'crimson', 'indigo']);
    const { status } = await stage.executor(refOf('twin-crimson', red));
    expect(status?.error, 'of their own ones they do').to.contain(`NamespacedExecutor ${red}/twice-crimson`);
  });

  it('SE-7: leave it to who may read the reports to find a pod by its uid, by the command of the page', async () => {
    const shell = await shellFor(controlPlane(), await mkdtemp(join(controlPlane().directory, 'uid-')));
    const [block = ''] = await codeBlocks('docs/tenants.md', 'Names of pods and nodes');
    const command = block
      .replace('gatekeeper-system', stage.namespace)
      .replace(/pod-uid=\S+/, `pod-uid=${pod.uid}`);
    const { code, stdout, stderr } = await shell(command);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.contain(pod.name).and.contain(pod.nodeName);
  });

  /** The same faults in each namespace: a spec that is wrong, a scope that two claim there and two elsewhere, a set that is blocked. */
  async function goWrong(namespace: string, mark: string): Promise<void> {
    const ref = (name: string) => refOf(`${name}-${mark}`, namespace);
    await stage.apply(ref('broken'), { spec: { stores: [{ type: 'no-such-store' }] } });
    await stage.apply(ref('twin'), { scope: 'shared.example' });
    await stage.apply(ref('twice'), { scope: 'shared.example' });
    await stage.apply(ref('good'));
    await stage.ready(ref('good'), 'False/BlockedBySibling');
    for (const failing of ['broken', 'twin', 'twice'].map(ref)) {
      await stage.ready(failing, 'False/PodsFailed');
      await waitUntil(async () => (await eventsOf(controlPlane(), failing)).length > 0, {
        what: `an Event about ${failing.name}`,
      });
    }
  }

  async function expectUnread(namespace: string, names: readonly string[]): Promise<void> {
    const text = await readableBy(namespace);
    expect(text).to.contain('shared.example').and.contain('BlockedBySibling').and.contain(pod.uid);
    for (const name of [...names, pod.name, pod.nodeName, 'status-aggregator-0'])
      expect(text, name).not.to.contain(name);
  }
});

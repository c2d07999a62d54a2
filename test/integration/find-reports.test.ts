import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { REPORT_PLURAL, STATUS_GROUP } from '@executor-status/api';
import { expect } from 'chai';
import type { KubectlResult } from '../support/control-plane.ts';
import { codeBlocks, shellFor } from '../support/docs-shell.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';

describe('the reports of a cluster', function () {
  this.timeout(60_000);
  const controlPlane = useControlPlane();
  let stage: AggregatorStage;
  let shell: (script: string) => Promise<KubectlResult>;

  before(async () => {
    stage = await AggregatorStage.install(controlPlane());
    shell = await shellFor(controlPlane(), await mkdtemp(join(controlPlane().directory, 'find-')));
    const pods = await stage.makePods('ratify-1', 'ratify-2');
    const tenant = await controlPlane().createNamespace('team-a');
    for (const ref of [refOf('default'), refOf('other'), refOf('default', tenant)]) {
      await stage.apply(ref);
      for (const pod of pods) await stage.report(pod, ref);
    }
    commands = (await codeBlocks('docs/runbook.md', 'Runbook'))
      .flatMap((block) => block.split('\n'))
      .filter((line) => line !== '')
      // The names of this suite for those that the page takes as examples.
      .map((line) => line.replace('gatekeeper-system', stage.namespace).replace('team-a', tenant));
  });
  after(() => stage?.[Symbol.asyncDispose]());
  let commands: readonly string[];

  it('KX-2: are found by their executor, their pod and their node, by the commands of the runbook', async () => {
    const found: string[][] = [];
    for (const command of commands) {
      const { code, stdout, stderr } = await shell(
        command.replace('kubectl get exps', 'kubectl get exps -o name'),
      );
      expect(code, stderr).to.equal(0);
      found.push(stdout.split('\n').flatMap((line) => line.split('/')[1] ?? []));
    }
    const [ofExecutor = [], ofNamespaced = [], ofPod = [], ofNode = []] = found;
    // Other suites may have left some of theirs.
    expect(ofExecutor).to.include.members(['ratify--1-default', 'ratify--2-default']);
    expect(ofExecutor.filter((name) => !name.endsWith('-default'))).to.deep.equal([]);
    expect(ofNamespaced).to.have.lengthOf(2);
    expect(ofPod).to.have.lengthOf(3);
    expect(ofPod).to.include.members(['ratify--1-default', 'ratify--1-other']);
    expect(ofNode).to.include.members([...ofExecutor, ...ofNamespaced, ...ofPod]);
  });

  for (const role of ['view', 'edit', 'admin']) {
    it(`KX-2: may be read, and not written, by whoever has the ClusterRole ${role} where they lie`, async () => {
      const account = {
        namespace: await controlPlane().createNamespace('reader'),
        serviceAccount: 'default',
      };
      const apiVersion = 'rbac.authorization.k8s.io/v1';
      const binding = {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: `reader-${role}`, namespace: stage.namespace },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: account.namespace }],
      };
      await controlPlane().apply([binding]);
      const reader = controlPlane().as(await controlPlane().accountToken(account));
      const path = reportsPath(stage.namespace);
      const get = async (what: string) => (await reader.request(`GET ${what}`)).code;
      await waitUntil(async () => (await get(path)) === 200, { what: `the right of ${role}` });
      expect(await get(`${path}?fieldSelector=spec.pod.name=ratify-1`)).to.equal(200);
      const attributes = { namespace: stage.namespace, group: STATUS_GROUP, resource: REPORT_PLURAL };
      const review = await reader.call<{ status: { allowed: boolean } }>(
        'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        { spec: { resourceAttributes: { ...attributes, verb: 'watch' } } },
      );
      expect(review.status.allowed, 'to watch').to.equal(true);
      expect((await reader.request(`DELETE ${path}/ratify--1-default`)).code).to.equal(403);
      expect(await get(reportsPath('default')), 'elsewhere').to.equal(403);
      expect(await get(stage.path(refOf('default'))), 'a spec may hold a password').to.equal(403);
    });
  }
});

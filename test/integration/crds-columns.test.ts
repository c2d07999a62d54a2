import {
  type ExecutorPodStatus,
  type ExecutorStatus,
  newExecutorPodStatus,
  type ReportStatus,
} from '@executor-status/api';
import { expect } from 'chai';
import {
  emptyExecutorStatus,
  fullCondition,
  fullEntry,
  fullExecutorStatus,
  validExecutor,
} from '../contract/full-executor-status.ts';
import { fullReportStatus, minimalReportStatus } from '../contract/full-report.ts';
import { expectGolden, maskAges } from '../support/golden.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';

describe('what kubectl shows', () => {
  const controlPlane = useControlPlane();
  let namespace: string;

  before(async () => {
    namespace = await controlPlane().createNamespace('columns');
    for (const [name, status] of Object.entries(EXECUTORS)) await storeExecutor(name, status);
    for (const report of REPORTS) await storeReport(report);
  });

  after(async () => {
    await kubectl('delete', 'executors', ...Object.keys(EXECUTORS));
  });

  async function kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await controlPlane().kubectl(...args);
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  async function storeExecutor(name: string, status: ExecutorStatus | undefined): Promise<void> {
    const { admin } = controlPlane();
    const collections = [
      ['Executor', '/apis/config.ratify.sh/v2alpha1/executors'],
      ['NamespacedExecutor', `/apis/config.ratify.sh/v2alpha1/namespaces/${namespace}/namespacedexecutors`],
    ] as const;
    for (const [kind, path] of collections) {
      await admin.call(`POST ${path}`, { ...validExecutor, kind, metadata: { name } });
      if (status !== undefined) await admin.call(`PATCH ${path}/${name}/status`, { status });
    }
  }

  async function storeReport({ status, ...report }: ExecutorPodStatus): Promise<void> {
    const { admin } = controlPlane();
    const path = `/apis/status.ratify.sh/v1alpha1/namespaces/${namespace}/executorpodstatuses`;
    const { name, labels } = report.metadata;
    await admin.call(`POST ${path}`, { ...report, metadata: { name, labels } });
    if (status !== undefined) await admin.call(`PATCH ${path}/${name}/status`, { status });
  }

  it('AP-4 B35 of executors', async () => {
    const names = Object.keys(EXECUTORS);
    await expectGolden('executors.txt', maskAges(await kubectl('get', 'executors', ...names)));
    await expectGolden(
      'executors-wide.txt',
      maskAges(await kubectl('get', 'executors', ...names, '-o', 'wide')),
    );
  });

  it('AP-4 of executors of a namespace is the same', async () => {
    const names = Object.keys(EXECUTORS);
    const table = await kubectl('get', 'namespacedexecutors', '-n', namespace, ...names, '-o', 'wide');
    await expectGolden('executors-wide.txt', maskAges(table));
  });

  it('AP-4 of reports', async () => {
    await expectGolden('reports.txt', maskAges(await kubectl('get', 'exps', '-n', namespace)));
    await expectGolden(
      'reports-wide.txt',
      maskAges(await kubectl('get', 'exps', '-n', namespace, '-o', 'wide')),
    );
  });

  it('AP-5 by short name, category, singular and plural is the same', async () => {
    const table = maskAges(await kubectl('get', 'exps', '-n', namespace));
    for (const name of [
      'ratify',
      'executorpodstatus',
      'executorpodstatuses',
      'executorpodstatuses.status.ratify.sh',
    ]) {
      expect(maskAges(await kubectl('get', name, '-n', namespace)), name).to.equal(table);
    }
  });

  it('AP-5 has no name of ours for anything else', async () => {
    const ours = ['exps', 'ratify', 'executorpodstatus', 'executorpodstatuses'];
    const resources = (await resourcesServed()).filter(({ group }) => group !== 'status.ratify.sh');
    expect(resources.length).to.be.greaterThan(50);
    for (const { name, singularName, shortNames = [], categories = [] } of resources) {
      const taken = [name, singularName, ...shortNames, ...categories];
      expect(
        taken.filter((word) => ours.includes(word)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('KX-2 selects reports by executor, pod and node', async () => {
    const selectors: Record<string, number> = {
      'spec.executorRef.name=default': 3,
      'spec.executorRef.kind=NamespacedExecutor,spec.executorRef.namespace=team-a': 1,
      'spec.pod.name=ratify-7d9f8c5b6d-abcde': 2,
      'spec.nodeName=node-2': 1,
      'spec.executorRef.name=default,spec.pod.name=ratify-7d9f8c5b6d-fghij': 1,
      'spec.pod.name=none': 0,
    };
    for (const [selector, count] of Object.entries(selectors)) {
      const names = await kubectl('get', 'exps', '-n', namespace, '-o', 'name', '--field-selector', selector);
      expect(
        names.split('\n').filter((line) => line !== ''),
        selector,
      ).to.have.lengthOf(count);
    }
  });

  it('explains every field', async () => {
    for (const field of ['executorpodstatuses.status', 'executors.status', 'namespacedexecutors.status']) {
      const text = await kubectl('explain', field, '--recursive');
      expect(text, field).to.contain('lastTransitionTime');
    }
    expect(await kubectl('explain', 'exps.status.reason')).to.contain('ProviderThrottled');
  });

  async function resourcesServed(): Promise<readonly Served[]> {
    const { admin } = controlPlane();
    const { groups } = await admin.call<{ groups: { name: string; versions: { groupVersion: string }[] }[] }>(
      'GET /apis',
    );
    const roots = groups.flatMap(({ name, versions }) =>
      versions.map(({ groupVersion }) => ({ group: name, path: `/apis/${groupVersion}` })),
    );
    const lists = await Promise.all(
      [{ group: '', path: '/api/v1' }, ...roots].map(async ({ group, path }) => {
        const { resources } = await admin.call<{ resources: Omit<Served, 'group'>[] }>(`GET ${path}`);
        return resources.map((resource) => ({ ...resource, group }));
      }),
    );
    return lists.flat();
  }
});

interface Served {
  readonly group: string;
  readonly name: string;
  readonly singularName: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

const EXECUTORS: Record<string, ExecutorStatus | undefined> = {
  failing: {
    ...fullExecutorStatus,
    // Ready stands last, so that a column that reads the first condition shows the wrong one.
    conditions: [
      { ...fullCondition, type: 'Stalled', reason: 'ConfigInvalid', status: 'True' },
      fullCondition,
    ],
    builds: '2/3',
    // The first of three pods is good and the third failed: a column over the list would show the first.
    byPod: [true, true, false].map((succeeded, at) => ({
      ...fullEntry,
      id: `pod-${at}`,
      succeeded,
    })),
  },
  fresh: undefined,
  ready: {
    ...emptyExecutorStatus,
    succeeded: true,
    observedGeneration: 7,
    conditions: [{ ...fullCondition, status: 'True', reason: 'BuildsInAllPods' }],
    builds: '5/5',
  },
  'without-pods': {
    ...emptyExecutorStatus,
    observedGeneration: 1,
    conditions: [{ ...fullCondition, status: 'Unknown', reason: 'NoPods' }],
    briefError: 'no Ratify pod runs',
    builds: '0/0',
  },
};

const POD = { namespace: 'any', name: 'ratify-7d9f8c5b6d-abcde', uid: 'uid-1', nodeName: 'node-1' };
const OTHER_POD = { namespace: 'any', name: 'ratify-7d9f8c5b6d-fghij', uid: 'uid-2', nodeName: 'node-2' };
const NEW_POD = { namespace: 'any', name: 'ratify-7d9f8c5b6d-klmno', uid: 'uid-3' };

const REPORTS: readonly ExecutorPodStatus[] = [
  reportOf(POD, minimalReportStatus),
  reportOf(OTHER_POD, { ...fullReportStatus, id: OTHER_POD.name }),
  { ...newExecutorPodStatus(NEW_POD, { kind: 'Executor', name: 'default' }) },
  {
    ...newExecutorPodStatus(POD, { kind: 'NamespacedExecutor', namespace: 'team-a', name: 'by-team' }),
    status: { ...minimalReportStatus, id: POD.name },
  },
];

function reportOf(pod: typeof POD, status: ReportStatus): ExecutorPodStatus {
  return { ...newExecutorPodStatus(pod, { kind: 'Executor', name: 'default' }), status };
}

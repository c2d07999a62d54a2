import { type ExecutorRef, newExecutorPodStatus } from '@executor-status/api';
import { expect } from 'chai';
import { readCrd, schemaAt } from '../contract/crd-schema.ts';
import { fullReportSpec, fullReportStatus, minimalReportStatus, POD } from '../contract/full-report.ts';
import { atLimits, limitCases, requiredCases } from '../contract/limit-cases.ts';
import { APPLY_PATCH, type ApiObject } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { type Answer, type Cause, expectAdmitted, expectRefused } from './refusal.ts';

const schema = (await readCrd('executorpodstatuses.yaml')).spec.versions[0].schema.openAPIV3Schema;

describe('reports in a real API server', () => {
  const controlPlane = useControlPlane();
  let reports: string;

  before(async () => {
    const namespace = await controlPlane().createNamespace('reports');
    reports = `/apis/status.ratify.sh/v1alpha1/namespaces/${namespace}/executorpodstatuses`;
  });

  const create = (spec: unknown, query: Record<string, string> = { dryRun: 'All' }) =>
    controlPlane().admin.request<Answer>(`POST ${reports}`, newReport(spec), { query });

  /** Applies a status as the writer does; nothing is stored unless `dryRun` is false. */
  const applyStatus = (name: string, status: unknown, { dryRun = true, manager = 'executor-writer' } = {}) =>
    controlPlane().admin.request<Answer>(
      `PATCH ${reports}/${name}/status`,
      { apiVersion: 'status.ratify.sh/v1alpha1', kind: 'ExecutorPodStatus', status },
      {
        contentType: APPLY_PATCH,
        query: { fieldManager: manager, force: true, ...(dryRun ? { dryRun: 'All' } : {}) },
      },
    );

  /** Stores a report without a status. */
  async function stored(
    name: string,
    executorRef: ExecutorRef = { kind: 'Executor', name: 'default' },
  ): Promise<void> {
    const object = { ...newExecutorPodStatus(POD, executorRef), metadata: { name } };
    await controlPlane().admin.call(`POST ${reports}`, object);
  }

  describe('a spec', () => {
    it('AP-1 may have every field', async () => {
      expectAdmitted(await create(fullReportSpec));
    });

    it('AP-1 may be at all its limits', async () => {
      expectAdmitted(await create(atLimits(schemaAt(schema, '.spec'), fullReportSpec)));
    });

    it('AP-1 is required', async () => {
      expectRefused(await create(undefined), { field: 'spec', says: 'Required value' });
    });

    for (const { name, value, ...cause } of [
      ...limitCases(schemaAt(schema, '.spec'), fullReportSpec, '.spec'),
      ...requiredCases(schemaAt(schema, '.spec'), fullReportSpec, '.spec'),
    ]) {
      it(`AP-1 is refused over ${name}`, async () => {
        expectRefused(await create(value), cause);
      });
    }

    it('names a namespace for a NamespacedExecutor, and for it only', async () => {
      const namespaceless = {
        ...fullReportSpec,
        executorRef: { kind: 'NamespacedExecutor', name: 'default' },
      };
      expectRefused(await create(namespaceless), {
        field: 'spec.executorRef',
        says: 'namespace must be given',
      });
      const cluster = { ...fullReportSpec, executorRef: { ...fullReportSpec.executorRef, kind: 'Executor' } };
      expectRefused(await create(cluster), { field: 'spec.executorRef', says: 'namespace must be given' });
    });

    const changes: Record<string, (spec: typeof fullReportSpec) => unknown> = {
      'the executor': (spec) => ({ ...spec, executorRef: { ...spec.executorRef, name: 'other' } }),
      'the pod uid': (spec) => ({ ...spec, pod: { ...spec.pod, uid: 'other' } }),
      'the node': (spec) => ({ ...spec, nodeName: 'other' }),
      'a field that it had': ({ executorRef, pod }) => ({ executorRef, pod }),
    };
    for (const [what, change] of Object.entries(changes)) {
      it(`AP-1 never changes in ${what}`, async () => {
        const name = `immutable-${what.replaceAll(' ', '-')}`;
        const { admin } = controlPlane();
        const object = await admin.call<ApiObject>(`POST ${reports}`, {
          ...newReport(fullReportSpec),
          metadata: { name },
        });
        const put = { ...object, spec: change(fullReportSpec) };
        expectRefused(await admin.request<Answer>(`PUT ${reports}/${name}`, put), {
          field: 'spec',
          says: 'spec is immutable',
        });
      });
    }

    it('AP-1 never goes', async () => {
      const metadata = { name: 'immutable-presence' };
      const { admin } = controlPlane();
      const object = await admin.call(`POST ${reports}`, { ...newReport(fullReportSpec), metadata });
      const without = { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
      const answer = await admin.request<Answer>(`PUT ${reports}/${metadata.name}`, without);
      expectRefused(answer, { field: 'spec', says: 'Required value' });
    });

    it('lets labels change', async () => {
      await stored('relabelled');
      const { admin } = controlPlane();
      const metadata = { labels: { 'status.ratify.sh/pod-uid': POD.uid } };
      await admin.call(`PATCH ${reports}/relabelled`, { metadata });
    });
  });

  describe('a status', () => {
    before(() => stored('limits'));

    it('WP-5 is absent on creation, also when it is sent', async () => {
      const sent = {
        ...newReport(fullReportSpec),
        metadata: { name: 'no-status' },
        status: fullReportStatus,
      };
      const object = await controlPlane().admin.call<ApiObject>(`POST ${reports}`, sent);
      expect(object.status).to.equal(undefined);
    });

    it('WP-5 is never empty', async () => {
      expect((await applyStatus('limits', {})).code).to.equal(422);
    });

    it('AP-1 may have every field', async () => {
      const { code, body } = await applyStatus('limits', fullReportStatus);
      expect(code, body.message).to.equal(200);
      expect(body.status).to.deep.equal(fullReportStatus);
    });

    it('AP-1 may have every field but times empty', async () => {
      const empty = {
        ...minimalReportStatus,
        error: '',
        briefError: '',
        blocksSet: false,
        lastSucceededGeneration: 0,
        material: [],
        materialDigest: '',
        warnings: [],
        writerVersion: '',
      };
      const { code, body } = await applyStatus('limits', empty);
      expect(code, body.message).to.equal(200);
      expect(body.status).to.deep.equal(empty);
    });

    it('AP-1 may be at all its limits', async () => {
      const spec = atLimits(schemaAt(schema, '.spec'), fullReportSpec);
      const metadata = { name: 'at-limits' };
      await controlPlane().admin.call(`POST ${reports}`, { ...newReport(spec), metadata });
      const status = atLimits(schemaAt(schema, '.status'), fullReportStatus);
      expectAdmitted(await applyStatus('at-limits', status));
    });

    for (const { name, value, ...cause } of [
      ...limitCases(schemaAt(schema, '.status'), fullReportStatus, '.status'),
      ...requiredCases(schemaAt(schema, '.status'), fullReportStatus, '.status'),
    ]) {
      it(`AP-1 is refused over ${name}`, async () => {
        expectRefused(await applyStatus('limits', value), cause);
      });
    }

    const broken: Record<string, { fields: Record<string, unknown>; cause: Cause }> = {
      'the name of another pod': {
        fields: { id: 'another-pod' },
        cause: { field: 'status.id', says: 'status.id must equal spec.pod.name' },
      },
      'a success with a reason to fail': {
        fields: { succeeded: true },
        cause: { field: 'status.reason', says: 'reason must be Built' },
      },
      'a failure without a reason': {
        fields: { reason: 'Built' },
        cause: { field: 'status.reason', says: 'reason must be Built' },
      },
      'an error and an empty brief one (C5)': {
        fields: { briefError: '' },
        cause: { field: 'status.briefError', says: 'error requires briefError' },
      },
      'an error and no brief one (C5)': {
        fields: { briefError: undefined },
        cause: { field: 'status.briefError', says: 'error requires briefError' },
      },
    };
    for (const [what, { fields, cause }] of Object.entries(broken)) {
      it(`AP-1 is refused with ${what}`, async () => {
        expectRefused(await applyStatus('limits', { ...fullReportStatus, ...fields }), cause);
      });
    }

    it('UP-1 may give a reason that this version does not know', async () => {
      expectAdmitted(await applyStatus('limits', { ...fullReportStatus, reason: 'NewReason' }));
    });

    it('is refused with a field that this version does not know', async () => {
      const { code, body } = await applyStatus('limits', { ...fullReportStatus, newField: 1 });
      expect(code).to.equal(500);
      expect(body.message).to.contain('newField: field not declared in schema');
    });

    it('WP-15 holds nothing of another manager after the next apply', async () => {
      await stored('foreign');
      const { admin } = controlPlane();
      expectAdmitted(await applyStatus('foreign', minimalReportStatus, { dryRun: false }));
      const warnings = [{ code: 'Foreign', message: 'not ours' }];
      await admin.call(`PATCH ${reports}/foreign/status`, {
        status: { warnings, recoveredAt: '2026-08-06T09:49:44Z' },
      });
      await applyStatus(
        'foreign',
        { ...fullReportStatus, error: 'of a tool' },
        { dryRun: false, manager: 'a-tool' },
      );
      const { code, body } = await applyStatus('foreign', minimalReportStatus, { dryRun: false });
      expect(code, body.message).to.equal(200);
      expect(body.status).to.deep.equal(minimalReportStatus);
    });

    it('stays when the report itself is applied again', async () => {
      const report = { ...newReport(fullReportSpec), metadata: { name: 'applied' } };
      const query = { fieldManager: 'executor-writer', force: true };
      const apply = () =>
        controlPlane().admin.call(`PATCH ${reports}/applied`, report, { contentType: APPLY_PATCH, query });
      await apply();
      await applyStatus('applied', fullReportStatus, { dryRun: false });
      expect((await apply()).status).to.deep.equal(fullReportStatus);
    });

    it('WP-2 keeps its resourceVersion when the same is applied again', async () => {
      await stored('unchanged');
      const first = await applyStatus('unchanged', fullReportStatus, { dryRun: false });
      const second = await applyStatus('unchanged', fullReportStatus, { dryRun: false });
      expect(second.body.metadata?.resourceVersion).to.equal(first.body.metadata?.resourceVersion);
    });
  });
});

function newReport(spec: unknown) {
  return {
    apiVersion: 'status.ratify.sh/v1alpha1',
    kind: 'ExecutorPodStatus',
    metadata: { generateName: 'r-' },
    spec,
  };
}

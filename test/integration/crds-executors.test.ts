import { randomUUID } from 'node:crypto';
import { CONDITIONS, EXECUTOR_KINDS, EXECUTOR_PLURALS, NOT_APPLICABLE } from '@executor-status/api';
import { expect } from 'chai';
import { readCrd, schemaAt } from '../contract/crd-schema.ts';
import {
  emptyExecutorStatus,
  fullEntry,
  fullExecutorStatus,
  validExecutor,
} from '../contract/full-executor-status.ts';
import { atLimits, limitCases, requiredCases } from '../contract/limit-cases.ts';
import { APPLY_PATCH, type ApiObject } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { type Answer, expectAdmitted, expectRefused } from './refusal.ts';

const MANAGER = 'status-aggregator/gatekeeper-system';
const TIME = '2026-08-06T09:49:44Z';
/** The fields that are Ratify's own, on which we set no limits. */
const RATIFY_FIELDS = ['.succeeded', '.error', '.briefError'];

for (const kind of EXECUTOR_KINDS) {
  const crd = await readCrd(`${EXECUTOR_PLURALS[kind]}.yaml`);
  const schema = schemaAt(crd.spec.versions[0].schema.openAPIV3Schema, '.status');

  describe(`the status of a ${kind} in a real API server`, () => {
    const controlPlane = useControlPlane();
    const created: string[] = [];
    let executors: string;
    let limits: string;

    before(async () => {
      const namespace = await controlPlane().createNamespace('executors');
      const scope = kind === 'Executor' ? '' : `/namespaces/${namespace}`;
      executors = `/apis/config.ratify.sh/v2alpha1${scope}/${EXECUTOR_PLURALS[kind]}`;
      limits = await create();
    });

    after(async () => {
      for (const path of created) await controlPlane().admin.call(`DELETE ${path}`);
    });

    /** Stores an executor without a status, and returns its path. */
    async function create(): Promise<string> {
      const metadata = { name: `e-${randomUUID().slice(0, 8)}` };
      await controlPlane().admin.call(`POST ${executors}`, { ...validExecutor, kind, metadata });
      created.push(`${executors}/${metadata.name}`);
      return `${executors}/${metadata.name}`;
    }

    /** Applies a status as the aggregator does. */
    const applyStatus = (path: string, status: unknown, { manager = MANAGER, dryRun = false } = {}) =>
      controlPlane().admin.request<Answer>(
        `PATCH ${path}/status`,
        { apiVersion: 'config.ratify.sh/v2alpha1', kind, status },
        {
          contentType: APPLY_PATCH,
          query: { fieldManager: manager, force: true, ...(dryRun ? { dryRun: 'All' } : {}) },
        },
      );

    const dryApply = (status: unknown) => applyStatus(limits, status, { dryRun: true });

    it('AP-1 may have every field', async () => {
      const { code, body } = await dryApply(fullExecutorStatus);
      expect(code, body.message).to.equal(200);
      expect(body.status).to.deep.equal(fullExecutorStatus);
    });

    it('AP-1 may have every field empty', async () => {
      const { code, body } = await dryApply(emptyExecutorStatus);
      expect(code, body.message).to.equal(200);
      expect(body.status).to.deep.equal(emptyExecutorStatus);
    });

    it('AP-1 may be at all its limits', async () => {
      const status = atLimits(schema, fullExecutorStatus) as typeof fullExecutorStatus;
      const conditions = status.conditions.map((condition, at) => ({ ...condition, type: `T${at}` }));
      expectAdmitted(await dryApply({ ...status, conditions }));
    });

    for (const { name, value, ...cause } of limitCases(schema, fullExecutorStatus, '.status')) {
      it(`AP-1 is refused over ${name}`, async () => {
        expectRefused(await dryApply(value), cause);
      });
    }

    for (const { name, value, ...cause } of requiredCases(schema, fullExecutorStatus, '.status')) {
      // Without its key a condition cannot be merged at all.
      if (name === '.status.conditions[].type required') continue;
      it(`AP-1 is refused over ${name}`, async () => {
        expectRefused(await dryApply(value), cause);
      });
    }

    it('AP-1 may have texts of any length where Ratify sets no limit', async () => {
      const limited = limitCases(schema, fullExecutorStatus, '').map(({ name }) => name.split(' ')[0]);
      expect(limited.filter((path) => RATIFY_FIELDS.includes(path ?? ''))).to.deep.equal([]);
      expectAdmitted(
        await dryApply({ succeeded: false, error: 'e'.repeat(100_000), briefError: 'e'.repeat(1000) }),
      );
    });

    it('may have every condition and reason of the code', async () => {
      for (const reason of [...Object.values(CONDITIONS).flat(), NOT_APPLICABLE]) {
        const conditions = Object.keys(CONDITIONS).map((type) => ({ ...CONDITION, type, reason }));
        expectAdmitted(await dryApply({ ...fullExecutorStatus, conditions }));
      }
    });

    it('WP-15 holds nothing of another manager after an apply that names every field', async () => {
      const path = await create();
      const { conditions: _conditions, ...withoutConditions } = fullExecutorStatus;
      await controlPlane().admin.call(`PATCH ${path}/status`, { status: withoutConditions });
      expectAdmitted(await applyStatus(path, fullExecutorStatus, { manager: 'status-aggregator/elsewhere' }));
      const conditions = [{ ...CONDITION, status: 'False', reason: NOT_APPLICABLE }];
      const { code, body } = await applyStatus(path, { ...emptyExecutorStatus, conditions });
      expect(code, body.message).to.equal(200);
      expect(body.status).to.deep.equal({ ...emptyExecutorStatus, conditions });
    });

    it('B27 J7 keeps the condition of another manager, whoever writes', async () => {
      const path = await create();
      const foreign = { ...CONDITION, type: 'example.com/Audited' };
      const query = { fieldManager: 'auditor', force: true };
      const body = { apiVersion: 'config.ratify.sh/v2alpha1', kind };
      expectAdmitted(await applyStatus(path, { ...fullExecutorStatus, conditions: [] }));
      await controlPlane().admin.call(
        `PATCH ${path}/status`,
        { ...body, status: { succeeded: false, conditions: [foreign] } },
        { contentType: APPLY_PATCH, query },
      );
      await applyStatus(path, { ...fullExecutorStatus, conditions: [CONDITION] });
      expect(await conditionTypes(path)).to.have.members(['Ready', 'example.com/Audited']);
      await applyStatus(path, { ...fullExecutorStatus, conditions: [] });
      expect(await conditionTypes(path)).to.deep.equal(['example.com/Audited']);
    });

    it('B27 replaces the entries of pods as a whole', async () => {
      const path = await create();
      const entries = (ids: readonly string[]) => ids.map((id) => ({ ...fullEntry, id }));
      await applyStatus(path, { ...fullExecutorStatus, byPod: entries(['a', 'b', 'b']) });
      await applyStatus(path, { ...fullExecutorStatus, byPod: entries(['c']) }, { manager: 'a-tool' });
      const { body } = await applyStatus(path, { ...fullExecutorStatus, byPod: entries(['a', 'b']) });
      expect((body.status as typeof fullExecutorStatus).byPod.map(({ id }) => id)).to.deep.equal(['a', 'b']);
    });

    it('grows the metadata that writers watch by no pod', async () => {
      const path = await create();
      const byPod = (length: number) => Array.from({ length }, (_, at) => ({ ...fullEntry, id: `p${at}` }));
      await applyStatus(path, { ...fullExecutorStatus, byPod: byPod(1) });
      const few = await managedBytes(path);
      await applyStatus(path, { ...fullExecutorStatus, byPod: byPod(100) });
      expect(await managedBytes(path)).to.equal(few);
    });

    it('keeps its resourceVersion when the same is applied again', async () => {
      const path = await create();
      const first = await applyStatus(path, fullExecutorStatus);
      const second = await applyStatus(path, fullExecutorStatus);
      expect(second.body.metadata?.resourceVersion).to.equal(first.body.metadata?.resourceVersion);
    });

    it('lets an unpatched Ratify write its three fields', async () => {
      const path = await create();
      const { admin } = controlPlane();
      expectAdmitted(await applyStatus(path, fullExecutorStatus));
      const object = await admin.call<ApiObject>(`GET ${path}`);
      // Ratify sends the whole object with a status that knows three fields; the rest is gone until we write again.
      const status = { succeeded: false, error: 'of Ratify' };
      const stored = await admin.call<ApiObject>(`PUT ${path}/status`, { ...object, status });
      expect(stored.status).to.deep.equal(status);
    });

    async function conditionTypes(path: string): Promise<readonly string[]> {
      const { status } = await controlPlane().admin.call<WithConditions>(`GET ${path}`);
      return status.conditions.map(({ type }) => type);
    }

    async function managedBytes(path: string): Promise<number> {
      const { metadata } = await controlPlane().admin.call<ApiObject>(`GET ${path}`);
      return JSON.stringify(metadata.managedFields).length;
    }
  });
}

interface WithConditions {
  readonly status: { readonly conditions: readonly { readonly type: string }[] };
}

const CONDITION = {
  type: 'Ready',
  status: 'True',
  observedGeneration: 1,
  lastTransitionTime: TIME,
  reason: 'BuildsInAllPods',
  message: '',
} as const;

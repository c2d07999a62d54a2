import type { KubeErrorFacts } from '@executor-status/kube';
import { expect } from 'chai';
import { refusal } from '../test/memory-api.ts';
import { troubleOf } from './log-done.ts';

describe('troubleOf', () => {
  const cases: Record<
    string,
    { facts: Partial<KubeErrorFacts>; attempt?: number; level: string; remedy?: string }
  > = {
    'takes a conflict for nothing (B06, S3)': { facts: { code: 409 }, level: 'debug' },
    'takes a report that vanished meanwhile for nothing (S3)': {
      facts: { code: 404, missing: 'object' },
      level: 'debug',
    },
    'takes a call that the stop has ended for nothing': { facts: { reason: 'Aborted' }, level: 'debug' },
    'names the roles when a right is missing': { facts: { code: 403 }, level: 'error', remedy: 'Role' },
    'names no right when the namespace is being deleted': {
      facts: {
        code: 403,
        reason: 'Forbidden',
        detail:
          'executorpodstatuses.status.ratify.sh "x" is forbidden: unable to create new content in namespace ratify because it is being terminated',
      },
      level: 'warn',
    },
    'names the policy, and no right, when a policy denies': {
      facts: {
        code: 403,
        reason: 'Forbidden',
        detail:
          "executorpodstatuses.status.ratify.sh \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
      },
      level: 'error',
      remedy: 'admission policy',
    },
    'names the policy, and no CRD, when a policy denies as invalid': {
      facts: { code: 422, detail: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no" },
      level: 'error',
      remedy: 'admission policy',
    },
    'names the webhook when one denies': {
      facts: { code: 400, detail: 'admission webhook "w" denied the request: no' },
      level: 'error',
      remedy: 'webhook',
    },
    'warns of a conflict that does not settle': { facts: { code: 409 }, attempt: 26, level: 'warn' },
    'names the CRD when it is missing': {
      facts: { code: 404, missing: 'kind' },
      level: 'error',
      remedy: 'crds/executorpodstatuses.yaml',
    },
    'names the CRD when it is too old': {
      facts: { code: 422 },
      level: 'error',
      remedy: 'crds/executorpodstatuses.yaml',
    },
    'warns of an outage': { facts: { code: 503 }, level: 'warn' },
    'warns of an API server that does not answer': { facts: { reason: 'Unreachable' }, level: 'warn' },
  };

  for (const [name, { facts, attempt = 1, level, remedy }] of Object.entries(cases)) {
    it(name, () => {
      const trouble = troubleOf(refusal(facts), attempt);
      expect(trouble.level).to.equal(level);
      if (remedy === undefined) expect(trouble.remedy).to.equal(undefined);
      else expect(trouble.remedy).to.include(remedy);
    });
  }
});

import type { KubeErrorFacts } from '@executor-status/kube';
import { expect } from 'chai';
import { refusal } from '../test/memory-api.ts';
import { troubleOf } from './log-done.ts';

describe('troubleOf', () => {
  const cases: Record<string, { facts: Partial<KubeErrorFacts>; level: string; remedy?: string }> = {
    'takes a conflict for nothing (B06, S3)': { facts: { code: 409 }, level: 'debug' },
    'takes a report that vanished meanwhile for nothing (S3)': {
      facts: { code: 404, missing: 'object' },
      level: 'debug',
    },
    'takes a call that the stop has ended for nothing': { facts: { reason: 'Aborted' }, level: 'debug' },
    'names the roles when a right is missing': { facts: { code: 403 }, level: 'error', remedy: 'Role' },
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

  for (const [name, { facts, level, remedy }] of Object.entries(cases)) {
    it(name, () => {
      const trouble = troubleOf(refusal(facts));
      expect(trouble.level).to.equal(level);
      if (remedy === undefined) expect(trouble.remedy).to.equal(undefined);
      else expect(trouble.remedy).to.include(remedy);
    });
  }
});

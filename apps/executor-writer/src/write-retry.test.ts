import { KubeError, type KubeErrorFacts } from '@executor-status/kube';
import { expect } from 'chai';
import { writeRetryMs } from './write-retry.ts';

describe('writeRetryMs', () => {
  const refused = (facts: Partial<KubeErrorFacts>) =>
    new KubeError({ verb: 'apply', target: 'X y', ...facts });
  const cases: Record<string, { error: unknown; attempt: number; want: number }> = {
    'tries a conflict again at once (WP-3)': { error: refused({ code: 409 }), attempt: 1, want: 20 },
    'tries the twentieth conflict in a row within a second (WP-3)': {
      error: refused({ code: 409 }),
      attempt: 20,
      want: 1000,
    },
    'takes a conflict that does not settle for an outage': {
      error: refused({ code: 409 }),
      attempt: 26,
      want: 1000,
    },
    'tries what never settles less and less often': {
      error: refused({ code: 404, missing: 'object' }),
      attempt: 40,
      want: 20_000,
    },
    'makes a report that vanished meanwhile at once': {
      error: refused({ code: 404, missing: 'object' }),
      attempt: 1,
      want: 20,
    },
    'waits for a CRD that is not installed': {
      error: refused({ code: 404, missing: 'kind' }),
      attempt: 9,
      want: 20_000,
    },
    'waits for a right': { error: refused({ code: 403 }), attempt: 9, want: 20_000 },
    'waits for an API server that does not answer, less than 30 s (WP-4)': {
      error: refused({ reason: 'Unreachable' }),
      attempt: 100,
      want: 20_000,
    },
    'begins an outage with a second': { error: refused({ code: 503 }), attempt: 1, want: 1000 },
    'keeps the pause that the server asks for': {
      error: refused({ code: 429, retryAfterMs: 23_000 }),
      attempt: 1,
      want: 23_000,
    },
    'does not wait an hour because the server asks for it (WP-4)': {
      error: refused({ code: 429, retryAfterMs: 3_600_000 }),
      attempt: 1,
      want: 24_000,
    },
    'hardly repeats what the server refuses for good': {
      error: refused({ code: 422 }),
      attempt: 9,
      want: 300_000,
    },
    'takes an error that it does not know for an outage': { error: new Error('bug'), attempt: 1, want: 1000 },
  };

  for (const [name, tc] of Object.entries(cases)) {
    it(name, () => expect(writeRetryMs(tc.error, tc.attempt, () => 0.5)).to.equal(tc.want));
  }
});

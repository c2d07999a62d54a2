import type { ExecutorRef } from '@executor-status/api';
import { expect } from 'chai';
import fc from 'fast-check';
import { report } from '../../../test/support/builders.ts';
import { contradictsItself, type Known } from './report-identity.ts';

const NAMESPACED: ExecutorRef = { kind: 'NamespacedExecutor', namespace: 'team', name: 'default' };
const KNOWN: Known = { pod: (name) => name === 'pod-b', executor: ({ name }) => name === 'other' };

describe('contradictsItself', () => {
  const rows: Record<string, { report: ReturnType<typeof report>; want: boolean }> = {
    'takes the proper name': { report: report(), want: false },
    'takes the proper name of a report on a NamespacedExecutor': {
      report: report({ executorRef: NAMESPACED }),
      want: false,
    },
    'takes a random name': { report: report({ name: 'r4nd0m' }), want: false },
    'takes a random name that looks packed': { report: report({ name: 'some-random' }), want: false },
    'takes a random name of many parts': { report: report({ name: 'a-b-c-d' }), want: false },
    'takes a random name that no packing gives': { report: report({ name: 'a---b' }), want: false },
    'takes a generated name': {
      report: report({ name: '6d0c1111-0000-4000-8000-000000000001' }),
      want: false,
    },
    'refuses the name of its pod with another executor': {
      report: report({ name: 'pod--a-unheard' }),
      want: true,
    },
    'refuses the name of another pod with its executor': {
      report: report({ name: 'unheard-default' }),
      want: true,
    },
    'refuses the names of a known pod and an unknown executor': {
      report: report({ name: 'pod--b-unheard' }),
      want: true,
    },
    'refuses the names of an unknown pod and a known executor': {
      report: report({ name: 'unheard-other' }),
      want: true,
    },
    'refuses the name of an executor of another kind': {
      report: report({ name: 'pod--a-team-default' }),
      want: true,
    },
    'ID-2: takes the shortened name of a long pair': {
      report: report({ pod: `a${'-b'.repeat(120)}` }),
      want: false,
    },
  };
  for (const [name, row] of Object.entries(rows)) {
    it(`ID-3: ${name}`, () => {
      expect(contradictsItself(row.report, KNOWN)).to.equal(row.want);
    });
  }

  it('ID-3: takes every proper name', () => {
    const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,60}[a-z0-9])?$/);
    fc.assert(
      fc.property(label, label, (pod, name) => {
        const all = { pod: () => true, executor: () => true };
        expect(contradictsItself(report({ pod, executorRef: { kind: 'Executor', name } }), all)).to.equal(
          false,
        );
      }),
    );
  });
});

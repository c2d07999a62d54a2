import type { ExecutorRef, ReportStatus } from '@executor-status/api';
import { expect } from 'chai';
import { type BuildsView, Readiness, type ReadinessPolicy } from './readiness.ts';
import type { Verdict } from './report-status.ts';

interface Case {
  readonly policy: ReadinessPolicy;
  /** What the builds gave, in the order in which they were seen; `null` before the first complete list. */
  readonly seen: readonly (Readonly<Record<string, boolean | undefined>> | null)[];
  /** Executors that an earlier process of this pod reported as built once. */
  readonly builtBefore?: readonly string[];
  readonly afterMs?: number;
  /** Part of the failure. */
  readonly want?: string;
}

describe('Readiness', () => {
  const cases: Record<string, Case> = {
    'OP-1 Always is ready whatever fails': { policy: 'Always', seen: [{ a: false }] },
    'OP-1 Always is ready before anything is known': { policy: 'Always', seen: [] },
    'OP-1 Strict is unready while one fails': {
      policy: 'Strict',
      seen: [{ a: true, b: false }],
      want: 'Executor b does not build',
    },
    'OP-1 Strict is ready again when that builds': { policy: 'Strict', seen: [{ a: false }, { a: true }] },
    'OP-1 Strict is unready again when one fails later': {
      policy: 'Strict',
      seen: [{ a: true }, { a: false }],
      want: 'Executor a does not build',
    },
    'OP-1 Strict is ready without executors': { policy: 'Strict', seen: [{}] },
    'OP-1 Strict waits for the first build': {
      policy: 'Strict',
      seen: [{ a: true, b: undefined }],
      want: 'Executor b is not built yet',
    },
    'OP-1 Strict waits for the first list': { policy: 'Strict', seen: [null], want: 'not known yet' },
    'OP-1 Strict waits for the start itself': { policy: 'Strict', seen: [], want: 'not known yet' },
    'OP-1 Strict takes the unknown for ready in the end': { policy: 'Strict', seen: [null], afterMs: 30_000 },
    'OP-1 Strict takes no failure for ready in the end': {
      policy: 'Strict',
      seen: [{ a: false }],
      afterMs: 30_000,
      want: 'Executor a does not build',
    },
    'OP-1 FailIfNeverBuilt is unready while the set has never been built': {
      policy: 'FailIfNeverBuilt',
      seen: [{ a: true, b: false }],
      want: 'Executor b does not build',
    },
    'OP-1 FailIfNeverBuilt stays ready once the set was built': {
      policy: 'FailIfNeverBuilt',
      seen: [
        { a: true, b: true },
        { a: true, b: false },
      ],
    },
    'OP-1 FailIfNeverBuilt stays ready when a failing executor is added': {
      policy: 'FailIfNeverBuilt',
      seen: [{ a: true }, { a: true, b: false }],
    },
    'OP-1 FailIfNeverBuilt remembers across a restart of the sidecar': {
      policy: 'FailIfNeverBuilt',
      seen: [{ a: false }],
      builtBefore: ['a'],
    },
    'OP-1 FailIfNeverBuilt is ready without executors': { policy: 'FailIfNeverBuilt', seen: [{}] },
  };

  for (const [name, { policy, seen, builtBefore = [], afterMs = 0, want }] of Object.entries(cases)) {
    it(name, () => {
      let now = 0;
      const readiness = new Readiness({ policy, patienceMs: 30_000, now: () => now });
      let builds: Case['seen'][number] = null;
      const reported = builtBefore.map((executor): ExecutorRef => ({ kind: 'Executor', name: executor }));
      if (seen.length > 0)
        readiness.watch(
          viewOf(() => builds, builtBefore),
          reported,
        );
      for (const next of seen) {
        builds = next;
        readiness.note();
      }
      now = afterMs;
      const failure = readiness.failure();
      if (want === undefined) expect(failure).to.equal(undefined);
      else expect(failure).to.contain(want);
    });
  }
});

function viewOf(builds: () => Case['seen'][number], builtBefore: readonly string[]): BuildsView {
  return {
    executors: () =>
      builds() === null ? undefined : Object.keys(builds() ?? {}).map((name) => ({ kind: 'Executor', name })),
    verdict: ({ name }) => {
      const succeeded = builds()?.[name];
      if (succeeded === undefined) return undefined;
      return { uid: 'uid', generation: 1, outcome: { succeeded } } as Verdict;
    },
    last: ({ name }) =>
      builtBefore.includes(name)
        ? ({ succeeded: false, lastSucceededGeneration: 1 } as ReportStatus)
        : undefined,
  };
}

import type { ExecutorPodStatus } from '@executor-status/api';
import { expect } from 'chai';
import { executor, pod, report } from '../../../test/support/builders.ts';
import type { JudgedPod } from './judge-pods.ts';
import { awaitedOf, patienceAfter } from './patience.ts';
import { projectPod } from './pod.ts';

const EDITED = executor({ generation: 2 });
const OLD = report();
const NEW = report({ executorGeneration: 2 });
const DIGESTS: ReadonlySet<string | undefined> = new Set([undefined, 'same']);
const PATIENCE = { untilMs: 1000, count: 3, digests: DIGESTS };

const NOTHING = { awaited: new Set<string>(), pastGrace: new Set<string>() };

describe('patienceAfter', () => {
  const after = (
    before: ExecutorPodStatus | undefined,
    report: ExecutorPodStatus | undefined,
    { patience = PATIENCE, nowMs = 0 }: { patience?: typeof PATIENCE | undefined; nowMs?: number } = {},
  ) =>
    patienceAfter(
      patience,
      { key: 'a', ...(before && { before }), ...(report && { after: report }) },
      { executor: EDITED, nowMs },
    );

  it('lasts while awaited pods build the edit, one after the other, but for the last (SC-2)', () => {
    expect(after(OLD, NEW)).to.deep.equal({ ...PATIENCE, count: 2 });
    expect(after(undefined, NEW)).to.deep.equal({ ...PATIENCE, count: 2 });
    expect(after(OLD, NEW, { patience: { ...PATIENCE, count: 1 } })).to.equal(undefined);
  });

  it('lasts while pods load what others have loaded for the edit (SC-2)', () => {
    const same = report({ executorGeneration: 2, materialDigest: 'same' });
    expect(after(report({ materialDigest: 'old' }), same)).to.have.property('count', 2);
  });

  it('lasts while reports are made that say nothing yet, and awaits them all the same (SC-2)', () => {
    expect(after(undefined, report({ silent: true }))).to.equal(PATIENCE);
    expect(after(undefined, report({ silent: true }), { patience: { ...PATIENCE, count: 0 } })).to.equal(
      undefined,
    );
  });

  const ends: Record<string, [before: ExecutorPodStatus | undefined, after: ExecutorPodStatus | undefined]> =
    {
      'a failure': [OLD, report({ executorGeneration: 2, error: 'no key' })],
      'a warning': [
        OLD,
        report({ executorGeneration: 2, warnings: [{ code: 'Odd', path: '', message: '' }] }),
      ],
      'other material': [OLD, report({ executorGeneration: 2, materialDigest: 'other' })],
      'the old material, where nobody else has loaded it': [
        report({ materialDigest: 'old' }),
        report({ executorGeneration: 2, materialDigest: 'old' }),
      ],
      'a recovery': [OLD, report({ executorGeneration: 2, recoveredAt: '2026-08-06T09:00:00Z' })],
      'the end of what blocked its set': [
        report({ error: 'no key', blocksSet: true }),
        report({ executorGeneration: 2 }),
      ],
      'a report that says nothing any more': [OLD, report({ silent: true })],
      'a second word of the same pod': [NEW, NEW],
      'a word about an older generation': [undefined, OLD],
      'a word about an earlier executor': [OLD, report({ executorGeneration: 2, executorUID: 'earlier' })],
      'a report that is gone': [NEW, undefined],
    };
  for (const [what, [before, then]] of Object.entries(ends)) {
    it(`ends with ${what}`, () => expect(after(before, then)).to.equal(undefined));
  }

  it('ends when the next write of progress is due, and is not there by itself', () => {
    expect(after(OLD, NEW, { nowMs: 1000 })).to.equal(undefined);
    expect(
      patienceAfter(undefined, { key: 'a', before: OLD, after: NEW }, { executor: EDITED, nowMs: 0 }),
    ).to.equal(undefined);
  });
});

describe('awaitedOf', () => {
  const judged = (standing: JudgedPod['standing'], fields: Partial<JudgedPod> = {}): JudgedPod => ({
    id: 'a',
    pod: projectPod(pod(), ''),
    standing,
    graceLeftMs: 1000,
    ...fields,
  });
  const many = (count: number, ...of: Parameters<typeof judged>) =>
    Array.from({ length: count }, () => judged(...of));
  const LATE = { graceLeftMs: 0 };
  const cases: Record<string, [pods: JudgedPod[], awaited: number]> = {
    'all that are behind': [[...many(5, 'succeeded'), ...many(3, 'behind')], 3],
    'all that are missing': [[...many(5, 'succeeded'), ...many(3, 'missing')], 3],
    'no more than are behind, of whom the last one ends a rollout': [
      [...many(2, 'behind'), ...many(5, 'missing')],
      2,
    ],
    'no more than have grace left, of whom the last one settles an edit': [
      [...many(30, 'behind', LATE), ...many(3, 'missing')],
      3,
    ],
    'none when a missing one is on a node that is lost': [
      [...many(5, 'behind'), judged('missing', { pod: { ...projectPod(pod(), ''), lost: true } })],
      0,
    ],
    'none when the writer of a missing one is down': [
      [...many(5, 'behind'), judged('missing', { pod: { ...projectPod(pod(), ''), writer: 'down' } })],
      0,
    ],
    'none when one fails': [[...many(5, 'behind'), judged('failed')], 0],
    'none when one is stale': [[...many(5, 'behind'), judged('succeeded', { stale: 'PodLost' })], 0],
    'none when one has no writer': [[...many(5, 'behind'), judged('unobserved')], 0],
    'none when few are overdue, who are named': [[...many(50, 'behind'), ...many(10, 'behind', LATE)], 0],
    'of many that are overdue, those beyond the few': [
      [...many(50, 'behind'), ...many(30, 'behind', LATE)],
      20,
    ],
  };
  for (const [what, [pods, awaited]] of Object.entries(cases)) {
    it(`counts ${what} (SC-2)`, () =>
      expect(awaitedOf({ pods, expiring: {} }, NOTHING).count).to.equal(awaited));
  }

  it('counts no more than are awaited since the first failure, and none while some were past their grace at the start', () => {
    const pods = many(5, 'missing');
    const count = (memory: Partial<typeof NOTHING>) =>
      awaitedOf({ pods, expiring: {} }, { ...NOTHING, ...memory }).count;
    expect(count({ awaited: new Set(['a', 'b']) })).to.equal(2);
    expect(count({ pastGrace: new Set(['a']) })).to.equal(0);
  });

  it('counts none while a certificate ends soon, which whoever builds may have replaced (SC-2)', () => {
    const expiry = {
      path: 'spec.verifiers[0]',
      source: 'a.pem',
      notAfter: '2026-08-07T09:00:00Z',
      past: false,
    };
    expect(awaitedOf({ pods: many(5, 'behind'), expiring: { expiry } }, NOTHING).count).to.equal(0);
  });

  it('takes material for known that pods have built with, not what those that are behind have', () => {
    const loaded = (standing: JudgedPod['standing'], materialDigest: string) => {
      const { status } = report({ materialDigest });
      return judged(standing, status && { report: status });
    };
    const { digests } = awaitedOf(
      {
        pods: [loaded('succeeded', 'new'), loaded('behind', 'old')],
        expiring: {},
      },
      NOTHING,
    );
    expect([...digests]).to.deep.equal(['new']);
  });
});

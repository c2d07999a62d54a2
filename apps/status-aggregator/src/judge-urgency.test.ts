import type { ExecutorPodStatus } from '@executor-status/api';
import { expect } from 'chai';
import { pod, report } from '../../../test/support/builders.ts';
import { StatusStory } from '../../../test/support/status-story.ts';
import type { KubePod } from './pod.ts';

const A = report();
const B = report({ pod: 'pod-b' });
const FAILED = report({ error: 'no key' });
const B_FAILED = report({ pod: 'pod-b', error: 'no key' });
const BOTH = [pod(), pod({ name: 'pod-b' })];

interface Scene {
  readonly pods?: readonly KubePod[];
  readonly reports: readonly ExecutorPodStatus[];
}

describe('judgeUrgency', () => {
  // Two pods that both built it long ago, unless `before` says otherwise; what happens then; and how soon it is to be seen.
  const rows: Record<
    string,
    { before?: Scene; edited?: true; restarted?: true; after: Scene; want: 'transition' | 'progress' }
  > = {
    'a first failure is a transition': { after: { reports: [FAILED, B] }, want: 'transition' },
    'a further pod that fails in the same way is progress': {
      before: { reports: [FAILED, B] },
      after: { reports: [FAILED, B_FAILED] },
      want: 'progress',
    },
    'the same after a restart of the aggregator': {
      before: { reports: [FAILED, B] },
      restarted: true,
      after: { reports: [FAILED, B_FAILED] },
      want: 'progress',
    },
    'a further pod that fails in another way is a transition': {
      before: { reports: [FAILED, B] },
      after: { reports: [FAILED, report({ pod: 'pod-b', error: 'denied' })] },
      want: 'transition',
    },
    'a new pod is progress': {
      after: { pods: [...BOTH, pod({ name: 'pod-c' })], reports: [A, B] },
      want: 'progress',
    },
    'a pod that is gone is progress': { after: { pods: [pod()], reports: [A, B] }, want: 'progress' },
    'the end of a rollout is progress': {
      before: { pods: [...BOTH, pod({ name: 'pod-c' })], reports: [A, B] },
      after: { reports: [A, B, report({ pod: 'pod-c' })] },
      want: 'progress',
    },
    'a pod that is replaced under its name is a transition': {
      after: { pods: [pod(), pod({ name: 'pod-b', uid: 'second' })], reports: [A, B] },
      want: 'transition',
    },
    'a lost pod is a transition': {
      after: { pods: [pod({ conditions: { Ready: 'Unknown' } }), pod({ name: 'pod-b' })], reports: [A, B] },
      want: 'transition',
    },
    'an edit is a transition': { edited: true, after: { reports: [A, B] }, want: 'transition' },
    'the first of two pods that are behind is progress': {
      edited: true,
      before: { reports: [A, B] },
      after: { reports: [report({ executorGeneration: 2 }), B] },
      want: 'progress',
    },
    'the last pod that was behind is a transition, also while others are missing': {
      edited: true,
      before: { pods: [...BOTH, pod({ name: 'pod-c' })], reports: [report({ executorGeneration: 2 }), B] },
      after: {
        reports: [report({ executorGeneration: 2 }), report({ pod: 'pod-b', executorGeneration: 2 })],
      },
      want: 'transition',
    },
  };

  for (const [name, { before, edited, restarted, after, want }] of Object.entries(rows)) {
    it(name, () => {
      const story = new StatusStory();
      story.look(0, { pods: BOTH, reports: [A, B] });
      if (edited) story.edit();
      if (before !== undefined) story.look(100, before);
      if (restarted) story.restart();
      expect(story.look(101, after)).to.include({ kind: 'write', urgency: want });
    });
  }

  it('takes another set of missing pods for a transition, though the first three and their number are the same', () => {
    const story = new StatusStory();
    const names = ['pod-c', 'pod-d', 'pod-e', 'pod-f', 'pod-g'];
    const all = [...BOTH, ...names.map((name) => pod({ name }))];
    const others = names.map((name) => report({ pod: name }));
    // pod-g is there, and pod-f missing; then the other way round.
    const first = [A, B, ...others.filter(({ spec }) => spec.pod.name === 'pod-g')];
    story.look(0, { pods: all, reports: first });
    story.look(60);
    expect(story.status.podCounts).to.include({ missing: 4 });
    const second = [A, B, ...others.filter(({ spec }) => spec.pod.name === 'pod-f')];
    expect(story.look(100, { reports: second })).to.include({ kind: 'write', urgency: 'transition' });
    expect(story.look(101, { reports: [...second, report({ pod: 'pod-g' })] }), 'one less').to.include({
      urgency: 'transition',
    });
  });

  it('takes it for progress which of many pods are missing, until ten are left (SC-2)', () => {
    const story = new StatusStory();
    const names = Array.from({ length: 14 }, (_, at) => `pod-${at}`);
    story.look(0, { pods: names.map((name) => pod({ name })), reports: [] });
    story.look(60);
    const urgencies = names.map((_, at) => {
      const reports = names.slice(0, at + 1).map((name) => report({ pod: name }));
      const plan = story.look(100 + at, { reports });
      return plan.kind === 'write' ? plan.urgency : plan.why;
    });
    expect(urgencies.slice(1, 3)).to.deep.equal(['progress', 'progress']);
    expect(urgencies.slice(3)).to.deep.equal(names.slice(3).map(() => 'transition'));
  });

  it('takes ever new texts of one generation for progress after the tenth', () => {
    const story = new StatusStory({ settings: { maxEntries: 0 } });
    const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
    story.look(0, { pods: BOTH, reports: [report({ error: 'first' }), B] });
    const urgencies = words.map((word, at) => {
      const plan = story.look(at + 1, { reports: [report({ error: `cause ${word}` }), B] });
      return plan.kind === 'write' ? plan.urgency : plan.why;
    });
    expect(urgencies).to.deep.equal([
      ...words.slice(0, 9).map(() => 'transition'),
      ...words.slice(9).map(() => 'progress'),
    ]);
  });
});

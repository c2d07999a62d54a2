import type { ExecutorStatus, PodEntry } from '@executor-status/api';
import { expect } from 'chai';
import fc from 'fast-check';
import { pod, report } from '../../../test/support/builders.ts';
import { StatusStory } from '../../../test/support/status-story.ts';

const text = fc.string({ maxLength: 20 });
const condition = fc.record({
  type: fc.constantFrom('Ready', 'Stalled', 'Reconciling', 'PodsMissing'),
  status: fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
  observedGeneration: fc.nat({ max: 9 }),
  reason: text,
  message: text,
  lastTransitionTime: fc.constant('2020-01-01T00:00:00Z'),
});
const entry: fc.Arbitrary<PodEntry> = fc.record({
  id: fc.constantFrom('pod-a', 'ghost', 'pod-c'),
  observedGeneration: fc.nat({ max: 9 }),
  succeeded: fc.boolean(),
  reason: fc.constant('Built' as const),
  podUID: text,
});

/** Whatever somebody may have written over a status; everything may be missing. */
const corruption: fc.Arbitrary<Partial<ExecutorStatus>> = fc.record(
  {
    succeeded: fc.boolean(),
    error: text,
    briefError: text,
    observedGeneration: fc.integer({ min: 0, max: 9 }),
    conditions: fc.uniqueArray(condition, { selector: ({ type }) => type, maxLength: 4 }),
    builds: text,
    byPod: fc.array(entry, { maxLength: 5 }),
    truncated: fc.boolean(),
    omitted: fc.nat(),
  },
  { requiredKeys: [] },
);

describe('planStatus, after somebody has written over its status', () => {
  const scenes = {
    'a success': [report(), report({ pod: 'pod-b' })],
    'a failure': [report({ error: 'no key' }), report({ pod: 'pod-b' })],
    'an unfinished build': [report()],
  };

  for (const [name, reports] of Object.entries(scenes)) {
    it(`J9: says the same as before, a hundred times, whatever was written over ${name}`, () => {
      // Somebody who does it a hundred times contends: that is another test's.
      const story = new StatusStory({ settings: { contentionMs: 0 } });
      story.look(0, { pods: [pod(), pod({ name: 'pod-b' })], reports });
      const right = story.status;
      let atS = 0;
      fc.assert(
        fc.property(corruption, (written) => {
          story.overwrite(written);
          atS += 0.1;
          story.look(atS);
          expect(story.status).to.deep.equal(right);
        }),
        { numRuns: 100 },
      );
    });
  }

  it('J9: says the same as before once a report that was written over is made anew', () => {
    const story = new StatusStory({ settings: { contentionMs: 0, successHoldMs: 0 } });
    const reports = scenes['a success'];
    story.look(0, { pods: [pod(), pod({ name: 'pod-b' })], reports });
    const right = story.status;
    const wrong = fc.record({
      executorUID: fc.constantFrom('executor-uid', 'other'),
      executorGeneration: fc.constantFrom(0, 1),
      succeeded: fc.boolean(),
      blocksSet: fc.boolean(),
    });
    let atS = 0;
    fc.assert(
      fc.property(wrong, (fields) => {
        story.look((atS += 0.1), {
          reports: [report({ ...fields, error: 'wrong' }), report({ pod: 'pod-b' })],
        });
        story.look((atS += 0.1), { reports });
        expect(timeless(story.status)).to.deep.equal(timeless(right));
      }),
      { numRuns: 100 },
    );
  });
});

function timeless({ conditions = [], ...rest }: ExecutorStatus): unknown {
  return { ...rest, conditions: conditions.map(({ lastTransitionTime: _time, ...said }) => said) };
}

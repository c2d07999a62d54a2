import type { Condition } from '@executor-status/api';
import { expect } from 'chai';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { StatusStory } from '../../../test/support/status-story.ts';

describe('planStatus, about a spec that is wrong', () => {
  /** The Stalled condition of a cluster with these pods, all of which say the same of the spec. */
  function stalledIn(names: readonly string[], generation: number): Condition | undefined {
    const story = new StatusStory({ executor: executor({ generation, uid: `uid-in-${names[0]}` }) });
    const error = 'spec.verifiers[0]: a leaf certificate is no trust anchor';
    story.look(generation, {
      pods: names.map((name) => pod({ name, nodeName: `node-of-${name}` })),
      reports: names.map((name) =>
        report({
          pod: name,
          error,
          reason: 'ConfigInvalid',
          executorGeneration: generation,
          executorUID: `uid-in-${names[0]}`,
        }),
      ),
    });
    return story.status.conditions?.find(({ type }) => type === 'Stalled');
  }

  it('R4b: says the same on two clusters, times and generations aside, whatever their pods are called', () => {
    const { lastTransitionTime: _here, ...here } = stalledIn(['ratify-a', 'ratify-b', 'ratify-c'], 7) ?? {};
    const { lastTransitionTime: _there, ...there } = stalledIn(['other-x'], 7) ?? {};
    expect(here).to.deep.equal(there);
    expect(here).to.deep.include({ status: 'True', reason: 'ConfigInvalid', observedGeneration: 7 });
    expect(JSON.stringify(here)).not.to.match(/ratify-|node-|uid-/);
  });
});

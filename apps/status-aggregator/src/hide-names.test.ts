import { expect } from 'chai';
import { report } from '../../../test/support/builders.ts';
import { hideInReport, hideNames } from './hide-names.ts';
import { projectPod } from './pod.ts';

const HIDE_ALL = { hideNodeNames: true, hidePodNames: true };
const PODS = [
  { name: 'pod-1', uid: 'uid-of-one', nodeName: 'node-1.example' },
  { name: 'pod-1.a', uid: 'uid-of-two', nodeName: 'node-1' },
];

describe('hideNames', () => {
  const cases: Record<string, readonly [said: string, shown: string]> = {
    'a name alone': ['pod-1', 'uid-of-one'],
    'a name in a sentence': ['from pod-1: no answer', 'from uid-of-one: no answer'],
    'a name before a domain and a port': ['pod-1.ratify.svc:443', 'uid-of-one.ratify.svc:443'],
    'the longer of two names': ['pod-1.a, pod-1', 'uid-of-two, uid-of-one'],
    'nodes, the longer name first': ['node-1.example and node-1', '[node] and [node]'],
    'a name within a namespace': ['ratify/pod-1', 'ratify/uid-of-one'],
    'every place': ['pod-1 (pod-1)', 'uid-of-one (uid-of-one)'],
    'no longer name that begins alike': ['pod-10 and pod-1-a', 'pod-10 and pod-1-a'],
    'no longer name that ends alike': ['my-pod-1 and xpod-1', 'my-pod-1 and xpod-1'],
    'the beginning of a name that a bound has cut': ['no answer from pod-…', 'no answer from …'],
    'the beginning of a longer name behind a dot': ['from x.node-1.exa… (2)', 'from x.… (2)'],
    'no other word that a bound has cut': ['from podium…', 'from podium…'],
    'no name for which the dot would stand as any letter': ['pod-1xa', 'pod-1xa'],
  };
  for (const [what, [said, shown]] of Object.entries(cases)) {
    it(`SE-7: takes out ${what}`, () => {
      expect(hideNames(said, PODS, HIDE_ALL)).to.equal(shown);
      expect(hideNames(shown, PODS, HIDE_ALL), 'a second time').to.equal(shown);
    });
  }

  it('SE-7: hides pods and nodes each for itself', () => {
    const text = 'pod-1 on node-1';
    expect(hideNames(text, PODS, { hideNodeNames: false, hidePodNames: true })).to.equal(
      'uid-of-one on node-1',
    );
    expect(hideNames(text, PODS, { hideNodeNames: true, hidePodNames: false })).to.equal('pod-1 on [node]');
    expect(hideNames(text, PODS, { hideNodeNames: false, hidePodNames: false })).to.equal(text);
  });
});

describe('hideInReport', () => {
  const raw = {
    apiVersion: 'v1',
    metadata: { name: 'pod-a', namespace: 'ratify', uid: 'uid-1', resourceVersion: '1' },
    spec: { nodeName: 'node-1' },
  };
  const pod = projectPod(raw, '');

  it('SE-7: gives the same object for the same report, also when its pod has changed, and a new one for other settings', () => {
    const { status } = report({ error: 'pod-a: no key' });
    if (status === undefined) throw new Error('it has a status');
    const hidden = hideInReport(status, pod, HIDE_ALL);
    expect(hidden).to.include({ error: 'uid-1: no key', briefError: 'uid-1: no key' });
    const later = projectPod({ ...raw, metadata: { ...raw.metadata, resourceVersion: '2' } }, '');
    expect(hideInReport(status, later, HIDE_ALL)).to.equal(hidden);
    expect(hideInReport(status, pod, { hideNodeNames: true, hidePodNames: false }).error).to.equal(
      'pod-a: no key',
    );
  });

  it('gives back the report itself when nothing is to be hidden', () => {
    const { status } = report({ error: 'pod-a: no key' });
    if (status === undefined) throw new Error('it has a status');
    expect(hideInReport(status, pod, { hideNodeNames: false, hidePodNames: false })).to.equal(status);
  });
});

import type { ReportStatus } from '@executor-status/api';
import { expect } from 'chai';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { StatusStory } from '../../../test/support/status-story.ts';
import { planEvents } from './plan-events.ts';

const PODS = ['pod-a', 'pod-b', 'pod-c', 'pod-d', 'pod-e', 'pod-f'];
const uidOf = (name: string) => `00000000-${name.slice(-1)}`;
const NAMES = [...PODS, ...PODS.map(nodeOf)];

function nodeOf(name: string): string {
  return `node-of-${name.slice(-1)}.example`;
}

/** A pod that fails, one that warns, one that lags and diverges, one that is lost, one missing, one without the sidecar. */
function scene(more: Partial<ReportStatus> = {}) {
  const pods = PODS.map((name) => ({ name, uid: uidOf(name), nodeName: nodeOf(name) }));
  const own = (name: string) => `${name} on ${nodeOf(name)}`;
  const said: Record<string, Partial<ReportStatus>> = {
    'pod-a': { error: `${own('pod-a')}: no key`, briefError: `no key (${own('pod-a')})` },
    'pod-b': {
      warnings: [{ code: 'Odd', path: own('pod-b'), message: own('pod-b') }],
      material: [{ path: 'spec', source: `/${own('pod-b')}`, sha256: '0', notAfter: '2026-08-07T00:00:00Z' }],
      materialDigest: '0',
    },
    'pod-c': { recoveredAt: '2026-08-06T09:30:00Z', materialDigest: '1' },
    'pod-d': { error: own('pod-d') },
  };
  return {
    pods: pods.map((one) => {
      if (one.name === 'pod-c') return pod({ ...one, ratifyStartedAt: '2026-08-06T09:00:00Z' });
      if (one.name === 'pod-d') return pod({ ...one, conditions: { Ready: 'Unknown' } });
      return pod({ ...one, writer: one.name === 'pod-f' ? 'absent' : 'running' });
    }),
    reports: Object.entries(said).map(([name, fields]) =>
      report({ pod: name, podUID: uidOf(name), ...fields, ...more }),
    ),
  };
}

describe('planStatus, the names that it tells', () => {
  it('SE-7: tells of pods and nodes by name when nothing is hidden', () => {
    const story = new StatusStory();
    story.look(0, scene());
    story.look(61);
    const told = JSON.stringify(story.status);
    expect(NAMES.filter((name) => told.includes(name))).to.include.members([
      ...PODS.slice(0, 5),
      nodeOf('pod-a'),
    ]);
  });

  it('SE-7: tells no name of a pod or a node anywhere, nor in an Event, when both are hidden', () => {
    const story = new StatusStory({ settings: { hideNodeNames: true, hidePodNames: true } });
    story.look(0, scene());
    story.look(61);
    story.look(80, scene({ succeeded: true, reason: 'Built', error: '', briefError: '' }));
    story.look(100);
    story.edit();
    story.look(101);
    const statuses = story.writes.map(({ status }) => status);
    const events = statuses.flatMap((after, at) =>
      planEvents({ before: statuses[at - 1], after, leftOut: [] }),
    );
    const told = JSON.stringify([statuses, events]);
    expect(NAMES.filter((name) => told.includes(name))).to.deep.equal([]);
    const types = new Set(statuses.flatMap(({ conditions = [] }) => conditions.map(({ type }) => type)));
    expect([...types], 'all that could name one was there').to.include.members([
      'PodsMissing',
      'PodsStale',
      'RatifyMayBeStale',
      'CredentialsExpiring',
      'MaterialDiverged',
      'Reconciling',
    ]);
    expect(events.map(({ reason }) => reason)).to.include.members([
      'BuildFailed',
      'PodsMissing',
      'PodsStale',
    ]);
  });

  it('SE-7: puts the uid of a pod, by which its reports are labelled, in the place of its name', () => {
    const story = new StatusStory({ settings: { hidePodNames: true } });
    story.look(0, scene());
    story.look(61);
    const { byPod = [], errorGroups, error } = story.status;
    expect(byPod[0]).to.include({ id: uidOf('pod-a'), podUID: uidOf('pod-a'), nodeName: nodeOf('pod-a') });
    expect(errorGroups?.[0]?.examplePods).to.deep.equal([uidOf('pod-a')]);
    expect(error).to.contain(`${uidOf('pod-a')} on node-of-a.example: no key (${uidOf('pod-a')})`);
    expect(error).to.contain(`no report from ${uidOf('pod-e')}`);
  });

  it('SE-7: leaves out nodes alone', () => {
    const story = new StatusStory({ settings: { hideNodeNames: true } });
    story.look(0, scene());
    const { byPod = [], error } = story.status;
    expect(byPod.map(({ id }) => id)).to.include('pod-a');
    expect(byPod.filter((entry) => 'nodeName' in entry)).to.deep.equal([]);
    expect(error).to.contain('pod-a on [node]: no key (pod-a)');
  });

  it('SE-7: groups what differs in the names of pods and nodes alone, hidden or not', () => {
    for (const hide of [false, true]) {
      const story = new StatusStory({ settings: { hideNodeNames: hide, hidePodNames: hide } });
      const pods = PODS.map((name) => ({ name, uid: uidOf(name), nodeName: 'node-1' }));
      story.look(0, {
        pods: pods.map(pod),
        reports: PODS.map((name) =>
          report({ pod: name, podUID: uidOf(name), error: `no key in ${name} on node-1` }),
        ),
      });
      expect(story.status.errorGroups?.map(({ count }) => count)).to.deep.equal([PODS.length]);
    }
  });

  it('SE-7: takes no name over from a statement that was stored before names were hidden', () => {
    const before = new StatusStory({ executor: executor({ generation: 2 }) });
    before.look(0, scene({ executorGeneration: 2 }));
    before.look(61);
    expect(before.status.error).to.contain('pod-a').and.contain('pod-e');
    const after = new StatusStory({
      executor: executor({ generation: 3, status: before.status }),
      settings: { hideNodeNames: true, hidePodNames: true },
    });
    after.look(0, scene({ executorGeneration: 2 }));
    expect(after.status).to.include({ observedGeneration: 2 });
    expect(after.status.error)
      .to.contain(uidOf('pod-a'))
      .and.contain(`no report from ${uidOf('pod-e')}`);
    expect(NAMES.filter((name) => JSON.stringify(after.status).includes(name))).to.deep.equal([]);
  });

  it('SE-7: writes nothing for an edit of names that are hidden', () => {
    const story = new StatusStory({ settings: { hideNodeNames: true } });
    story.look(0, { pods: [pod()], reports: [report()] });
    expect(story.look(1, { pods: [pod({ nodeName: 'node-2' })] }).kind).to.equal('skip');
  });
});

import type { Condition } from '@executor-status/api';
import { expect } from 'chai';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { gist, StatusStory } from '../../../test/support/status-story.ts';

const pods = (...names: string[]) => names.map((name) => pod({ name }));
const reports = (...names: string[]) => names.map((name) => report({ pod: name }));
const ready = (story: StatusStory) => gist(story.status).ready;
const condition = (story: StatusStory, type: string): Condition | undefined =>
  story.status.conditions?.find((one) => one.type === type);

describe('planStatus, through time', () => {
  it('AG-3: calls a pod missing when its grace is over, and asks to be woken then', () => {
    const story = new StatusStory();
    const scene = {
      pods: pods('pod-a', 'pod-b', 'pod-c', 'pod-d', 'pod-e'),
      reports: reports('pod-a', 'pod-b', 'pod-c', 'pod-d'),
    };
    expect(story.look(0, scene)).to.include({ kind: 'write', wakeInMs: 60_000 });
    expect(gist(story.status)).to.deep.include({
      succeeded: false,
      ready: 'Unknown/Building',
      generation: 0,
    });
    expect(story.look(59.9)).to.include({ kind: 'skip', wakeInMs: 100 });
    story.look(60);
    expect(gist(story.status)).to.deep.equal({
      succeeded: false,
      error: '1/5 replicas unhealthy: no report from pod-e',
      generation: 1,
      ready: 'False/PodsNotReporting',
      others: ['PodsMissing=True/WriterNotReporting'],
    });
    expect(story.status.podCounts).to.deep.include({ expected: 5, reporting: 4, missing: 1, upToDate: 4 });
    expect(condition(story, 'PodsMissing')?.message).to.contain('pod-e');
  });

  it('gives a new generation, and a new pod, a grace of its own', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: reports('pod-a', 'pod-b') });
    story.edit();
    story.look(100);
    expect(ready(story)).to.equal('Unknown/Building');
    story.look(159, { reports: [report({ executorGeneration: 2 }), report({ pod: 'pod-b' })] });
    expect(ready(story)).to.equal('Unknown/Building');
    story.look(160);
    expect(ready(story)).to.equal('False/PodsNotReporting');
  });

  it('AG-3: gives a pod its grace from when it is first expected, however long it waited for a node or was opted out', () => {
    const kept = pod();
    const waits = { 'for a node': { nodeName: undefined }, 'out, by its label': { optedOut: true } };
    for (const [name, fields] of Object.entries(waits)) {
      const story = new StatusStory();
      const scene = { pods: [kept, pod({ name: 'pod-b', ...fields })], reports: reports('pod-a') };
      story.look(0, scene);
      story.look(300, { pods: pods('pod-a', 'pod-b') });
      expect(gist(story.status), name).to.deep.include({
        ready: 'True/BuildsInAllPods',
        others: ['Reconciling=True/RollingOut'],
      });
      story.look(360);
      expect(ready(story), name).to.equal('False/PodsNotReporting');
    }
  });

  it('S1: speaks of the new generation at once, and of the older verdict until the new one is settled', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: reports('pod-a', 'pod-b') });
    story.edit();
    story.look(30);
    expect(gist(story.status)).to.deep.equal({
      succeeded: true,
      error: '',
      generation: 1,
      ready: 'Unknown/Building',
      others: ['Reconciling=True/Building'],
    });
    expect(condition(story, 'Ready')?.observedGeneration).to.equal(2);
    story.look(31, { reports: [report({ executorGeneration: 2 }), report({ pod: 'pod-b' })] });
    expect(gist(story.status)).to.include({ succeeded: true, generation: 1, ready: 'Unknown/Building' });
    story.look(32, {
      reports: ['pod-a', 'pod-b'].map((name) => report({ pod: name, executorGeneration: 2 })),
    });
    expect(gist(story.status)).to.include({ succeeded: true, generation: 2, ready: 'True/BuildsInAllPods' });
    expect(story.writes.map(({ urgency }) => urgency)).to.deep.equal([
      'transition',
      'transition',
      'progress',
      'transition',
    ]);
  });

  it('AG-5: turns False at once and True only after ten seconds without a failure', () => {
    const story = new StatusStory();
    const good = reports('pod-a', 'pod-b');
    const bad = [report(), report({ pod: 'pod-b', error: 'no key' })];
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: good });
    for (let atS = 1; atS < 20; atS++) {
      story.look(atS, { reports: atS % 2 === 1 ? bad : good });
      expect(gist(story.status)).to.include({ succeeded: false, ready: 'False/PodsFailed' });
      expect(story.status.error).to.equal('1/2 replicas unhealthy: no key (pod-b)');
      expect(story.status.podCounts?.failed, 'counts are exact all the while').to.equal(atS % 2);
    }
    expect(story.look(20, { reports: good })).to.include({ wakeInMs: 10_000 });
    story.look(29.9);
    expect(gist(story.status)).to.include({ succeeded: false, ready: 'False/PodsFailed' });
    story.look(30);
    expect(gist(story.status)).to.include({ succeeded: true, ready: 'True/BuildsInAllPods', error: '' });
  });

  it('AG-5: does not go back to a failure that is over, once it has said that it is not sure', () => {
    const story = new StatusStory();
    const [a, b] = [report(), report({ pod: 'pod-b' })];
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: [a, b] });
    const seen: string[] = [];
    const see = (atS: number, scene = {}) => {
      story.look(atS, scene);
      seen.push(ready(story));
    };
    see(1, { reports: [a, report({ pod: 'pod-b', error: 'no key' })] });
    // Its report vanishes, and it builds.
    see(2, { reports: [a, report({ pod: 'pod-b', executorGeneration: 0 })] });
    see(3, { reports: [a, b] });
    expect(condition(story, 'Ready')?.message).to.equal('building generation 1: done in 2 of 2 pods');
    see(11.9);
    see(12);
    expect(seen).to.deep.equal([
      'False/PodsFailed',
      'Unknown/Building',
      'Unknown/Building',
      'Unknown/Building',
      'True/BuildsInAllPods',
    ]);
  });

  it('AG-5: says at once that it is not sure after a failure, and only a success waits', () => {
    const lost = pod({ name: 'pod-b', conditions: { Ready: 'Unknown' } });
    const story = new StatusStory();
    const bad = report({ pod: 'pod-b', error: 'no key' });
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: [report(), bad] });
    story.look(1, { pods: [pod(), lost], reports: reports('pod-a', 'pod-b') });
    expect(ready(story)).to.equal('Unknown/PodsStale');
    story.look(2, { pods: pods('pod-a', 'pod-b') });
    expect(ready(story)).to.equal('Unknown/Building');
    story.look(11);
    expect(ready(story)).to.equal('True/BuildsInAllPods');
  });

  it('does not hold back the success of a new generation for the failure of an older one', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: [report({ error: 'no key' })] });
    story.edit();
    story.look(1);
    expect(gist(story.status)).to.include({ succeeded: false, generation: 1, ready: 'Unknown/Building' });
    story.look(2, { reports: [report({ executorGeneration: 2 })] });
    expect(gist(story.status)).to.include({ succeeded: true, generation: 2, ready: 'True/BuildsInAllPods' });
  });

  it('AG-2: waits for the pods that were due when a first failure settled it, though the failure ended', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: [report({ error: 'no key' })] });
    story.look(1, { reports: reports('pod-a') });
    story.look(20);
    expect(gist(story.status)).to.include({ succeeded: false, ready: 'Unknown/Building' });
    story.look(21, { reports: reports('pod-a', 'pod-b') });
    expect(gist(story.status)).to.include({ succeeded: true, ready: 'True/BuildsInAllPods' });
  });

  it('AG-2: does not take a failing pod whose report vanished for one that builds', () => {
    const story = new StatusStory();
    const failed = report({ pod: 'pod-b', error: 'no key' });
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: [report(), failed] });
    story.look(1, { reports: reports('pod-a') });
    story.look(20);
    expect(gist(story.status)).to.include({ succeeded: false, ready: 'Unknown/Building' });
  });

  it('is not Ready while a pod has reported an older generation only', () => {
    const story = new StatusStory({ executor: executor({ generation: 2 }) });
    const current = report({ executorGeneration: 2 });
    story.look(0, { pods: pods('pod-a'), reports: [current] });
    story.look(1, { pods: pods('pod-a', 'pod-b'), reports: [current, report({ pod: 'pod-b' })] });
    expect(gist(story.status)).to.include({ succeeded: true, generation: 2, ready: 'Unknown/Building' });
  });

  it('AG-5: shows no failure during a rolling update of good pods, and never turns Ready', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('old-1', 'old-2', 'old-3'), reports: reports('old-1', 'old-2', 'old-3') });
    for (const at of [1, 2, 3]) {
      const left = ['old-1', 'old-2', 'old-3'].slice(at);
      const before = ['new-1', 'new-2', 'new-3'].slice(0, at - 1);
      story.look(at * 10, {
        pods: pods(...before, `new-${at}`, ...left, `old-${at}`),
        reports: reports(...before, ...left, `old-${at}`),
      });
      story.look(at * 10 + 5, {
        pods: pods(...before, `new-${at}`, ...left),
        reports: reports(...before, `new-${at}`, ...left),
      });
    }
    for (const { status } of story.writes) {
      expect(gist(status)).to.include({ succeeded: true, ready: 'True/BuildsInAllPods' });
      expect(status.builds).not.to.equal('0/0');
    }
    expect(story.writes.slice(1).map(({ urgency }) => urgency))
      .to.have.lengthOf(6)
      .and.not.include('transition');
  });

  it('FB-8: writes nothing during a rolling update of good pods when only failures are asked for', () => {
    const story = new StatusStory({ settings: { detail: 'failing' } });
    story.look(0, { pods: pods('old-1', 'old-2'), reports: reports('old-1', 'old-2') });
    story.look(1, { pods: pods('old-1', 'old-2', 'new-1'), reports: reports('old-1', 'old-2') });
    story.look(2, { pods: pods('old-2', 'new-1'), reports: reports('old-2', 'new-1') });
    story.look(3, { pods: pods('new-1', 'new-2'), reports: reports('new-1', 'new-2') });
    expect(story.writes).to.have.lengthOf(1);
  });

  it('ID-6: shows a pod that was replaced under its name at once as one that has yet to report', () => {
    const story = new StatusStory();
    const other = report({ pod: 'ratify-1' });
    const failed = report({ pod: 'ratify-0', podUID: 'first', error: 'no key' });
    story.look(0, {
      pods: [pod({ name: 'ratify-0', uid: 'first' }), pod({ name: 'ratify-1' })],
      reports: [failed, other],
    });
    const plan = story.look(100, {
      pods: [pod({ name: 'ratify-0', uid: 'second' }), pod({ name: 'ratify-1' })],
    });
    expect(plan).to.include({ kind: 'write', urgency: 'transition' });
    expect(story.status.byPod?.map(({ id }) => id)).to.deep.equal(['ratify-1']);
    expect(story.status.podCounts).to.include({ expected: 2, reporting: 1, missing: 1, failed: 0 });
  });

  it('ID-5: starts anew for an executor that was recreated under its name', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    story.executor = executor({ uid: 'second-uid', resourceVersion: '100' });
    story.look(300);
    expect(gist(story.status)).to.include({ succeeded: false, generation: 0, ready: 'Unknown/Building' });
    expect(story.status.byPod).to.deep.equal([]);
    story.look(301, { reports: [report({ executorUID: 'second-uid' })] });
    expect(gist(story.status)).to.include({ succeeded: true, generation: 1, ready: 'True/BuildsInAllPods' });
  });

  it('ST-2: calls a report stale when its writer has been down for 30 seconds, and not for a short restart', () => {
    const story = new StatusStory();
    const down = [pod({ writer: 'terminated' })];
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    expect(story.look(10, { pods: down })).to.include({ kind: 'skip', why: 'unchanged', wakeInMs: 30_000 });
    expect(story.look(39, { pods: pods('pod-a') })).to.include({ kind: 'skip' });
    story.look(50, { pods: down });
    story.look(80);
    expect(gist(story.status)).to.deep.include({
      ready: 'Unknown/PodsStale',
      others: ['PodsStale=True/WriterNotRunning'],
    });
    expect(story.status.byPod).to.have.nested.property('[0].stale', true);
    expect(story.status.podCounts).to.include({ stale: 1, succeeded: 1 });
  });

  it('S8: wakes up when a certificate enters its notice, and again when it ends', () => {
    const notAfter = '2026-08-13T09:51:00Z';
    const story = new StatusStory();
    const dated = report({ material: [{ path: '$', source: 'inline', sha256: 'ab', notAfter }] });
    expect(story.look(0, { pods: pods('pod-a'), reports: [dated] })).to.include({ wakeInMs: 60_000 });
    expect(story.look(60)).to.include({ kind: 'write', wakeInMs: 7 * 24 * 3_600_000 });
    story.look(60 + 7 * 24 * 3600);
    expect(gist(story.status).others).to.deep.equal(['CredentialsExpiring=True/Expired']);
  });

  it('S8: goes on saying that a certificate ends while an edit is built', () => {
    const notAfter = '2026-08-10T00:00:00Z';
    const story = new StatusStory();
    const dated = report({ material: [{ path: '$', source: 'inline', sha256: 'ab', notAfter }] });
    story.look(0, { pods: pods('pod-a'), reports: [dated] });
    story.edit();
    story.look(100);
    expect(gist(story.status).others).to.deep.equal([
      'Reconciling=True/Building',
      'CredentialsExpiring=True/ExpiresSoon',
    ]);
  });

  it('keeps the time of a condition until its status changes', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    story.look(50, { pods: pods('pod-a', 'pod-b') });
    expect(condition(story, 'Ready')?.lastTransitionTime).to.equal('2026-08-06T09:50:00Z');
    expect(condition(story, 'Reconciling')?.lastTransitionTime).to.equal('2026-08-06T09:50:50Z');
  });
});

describe('planStatus, after a change of leader', () => {
  it('AG-5: changes nothing when pods fail', () => {
    const story = new StatusStory();
    story.look(0, {
      pods: pods('pod-a', 'pod-b'),
      reports: [report(), report({ pod: 'pod-b', error: 'no key' })],
    });
    story.restart();
    expect(story.look(5)).to.include({ kind: 'skip', why: 'unchanged' });
  });

  it('AG-5: takes pods that were missing as past their grace until each reports', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a', 'pod-b', 'pod-c'), reports: reports('pod-a') });
    story.look(60);
    expect(gist(story.status)).to.include({ ready: 'False/PodsNotReporting' });
    story.restart();
    expect(story.look(61)).to.include({ kind: 'skip', why: 'unchanged' });
    story.look(62, { pods: pods('pod-a', 'pod-b', 'pod-c', 'pod-d'), reports: reports('pod-a', 'pod-b') });
    expect(condition(story, 'PodsMissing')?.message, 'pod-d has a grace of its own').to.contain(
      'no report from pod-c:',
    );
  });

  it('AG-5: gives pods that an edit left behind their grace, though others were missing before it', () => {
    const story = new StatusStory();
    const names = ['pod-a', 'pod-b', 'pod-c'];
    story.look(0, { pods: pods(...names, 'pod-d'), reports: reports(...names) });
    story.look(60);
    expect(gist(story.status)).to.include({ ready: 'False/PodsNotReporting' });
    story.edit();
    story.restart();
    story.look(61);
    expect(condition(story, 'PodsMissing')?.message).to.contain('no report from pod-d:');
    expect(gist(story.status).error).not.to.contain('pod-a');
    story.restart();
    story.look(62);
    expect(condition(story, 'PodsMissing')?.message, 'nor at the next start').to.contain(
      'no report from pod-d:',
    );
  });

  it('AG-5: takes pods that were behind as past their grace when that was said of this generation', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: reports('pod-a', 'pod-b') });
    story.edit();
    story.look(100, { reports: [report({ executorGeneration: 2 }), report({ pod: 'pod-b' })] });
    story.look(160);
    expect(gist(story.status)).to.include({ ready: 'False/PodsNotReporting' });
    story.restart();
    expect(story.look(161)).to.include({ kind: 'skip', why: 'unchanged' });
  });

  it('holds a success back when it finds a failure that it has not seen end', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: [report({ error: 'no key' })] });
    story.restart();
    expect(story.look(1, { reports: reports('pod-a') })).to.include({
      why: 'success-held-back',
      wakeInMs: 10_000,
    });
    expect(gist(story.status)).to.include({ succeeded: false, ready: 'False/PodsFailed' });
    story.look(11);
    expect(gist(story.status)).to.include({ succeeded: true, ready: 'True/BuildsInAllPods' });
  });

  it('AG-5: holds the verdict back as well, where Ready is neither False nor True', () => {
    const story = new StatusStory();
    const blind = pod({ name: 'pod-b', writer: 'absent' });
    story.look(0, { pods: [...pods('pod-a'), blind], reports: [report({ error: 'no key' })] });
    story.look(1, { reports: reports('pod-a') });
    expect(gist(story.status)).to.include({ succeeded: false, ready: 'Unknown/PodsUnobserved' });
    story.restart();
    story.look(2);
    expect(gist(story.status)).to.include({ succeeded: false, generation: 1 });
    expect(gist(story.status).error).to.contain('no key');
    story.look(12);
    expect(gist(story.status)).to.include({ succeeded: true, ready: 'Unknown/PodsUnobserved' });
  });

  it('keeps the older verdict while a new generation builds', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a', 'pod-b'), reports: reports('pod-a', 'pod-b') });
    story.edit();
    story.look(1);
    story.restart();
    expect(story.look(2)).to.include({ kind: 'skip', why: 'unchanged' });
  });

  it('J10: replaces a list of invented pods in one pass, and takes nothing from it', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    const before = story.status;
    const invented = {
      id: 'ghost',
      podUID: 'ghost',
      observedGeneration: 1,
      succeeded: false,
      reason: 'BuildFailed' as const,
    };
    story.overwrite({ byPod: [invented, invented], error: 'invented' });
    story.restart();
    story.look(5);
    expect(story.status).to.deep.equal(before);
  });

  it('J9: replaces a verdict that somebody else wrote, whatever it says', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: [report({ error: 'no key' })] });
    const before = story.status;
    story.overwrite({ succeeded: true, error: '', observedGeneration: 1 });
    expect(story.look(5)).to.include({ kind: 'write', repair: true });
    expect(story.status).to.deep.equal(before);
  });
});

describe('planStatus, beside another manager', () => {
  it('FB-6: calls the status contended from the third rewrite within ten minutes on, and names the manager', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    for (const atS of [10, 20, 30]) {
      story.overwrite({ succeeded: false, error: 'from Ratify' });
      const managedFields = [
        { manager: 'ratify', time: '2026-08-06T09:50:00Z', fieldsV1: { 'f:status': { 'f:error': {} } } },
      ];
      story.executor = { ...story.executor, metadata: { ...story.executor.metadata, managedFields } };
      expect(story.look(atS)).to.include({ kind: 'write', repair: true });
    }
    expect(gist(story.status).others).to.deep.equal(['StatusContended=True/ForeignWriter']);
    expect(condition(story, 'StatusContended')?.message).to.match(/^ratify rewrites/);
    expect(story.look(31)).to.include({ kind: 'skip', wakeInMs: 579_000 });
    story.look(610);
    expect(gist(story.status).others).to.deep.equal([]);
  });

  it('FB-6: names the manager that rewrites our fields, not one that wrote its own condition later, and keeps the name', () => {
    const story = new StatusStory();
    const holds = (manager: string, time: string, fields: object) => ({
      manager,
      time,
      fieldsV1: { 'f:status': fields },
    });
    const rewriter = holds('ratify', '2026-08-06T09:50:00Z', { 'f:error': {} });
    const other = holds('other', '2026-08-06T09:55:00Z', {
      'f:conditions': { 'k:{"type":"example.com/Other"}': { '.': {} } },
    });
    const heldBy = (...managedFields: object[]) => {
      story.executor = { ...story.executor, metadata: { ...story.executor.metadata, managedFields } };
    };
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    for (const atS of [10, 20, 30]) {
      story.overwrite({ succeeded: false, error: 'from Ratify' });
      heldBy(rewriter, other);
      story.look(atS);
    }
    expect(condition(story, 'StatusContended')?.message).to.match(/^ratify rewrites/);
    // Our own write has taken its last field away from it.
    heldBy(other);
    expect(story.look(31)).to.include({ kind: 'skip', why: 'unchanged' });
  });

  it('J7: does not take a field of another manager, however often it changes, for a rewrite of ours', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    const theirs = (somebodys: number): object => ({ somebodys });
    story.overwrite(theirs(1));
    // Our next write is answered with all that is stored.
    story.look(10, { pods: pods('pod-a', 'pod-b'), reports: reports('pod-a', 'pod-b') });
    for (const somebodys of [2, 3, 4]) {
      story.overwrite(theirs(somebodys));
      expect(story.look(10 + somebodys)).to.include({ kind: 'skip', why: 'unchanged' });
    }
    expect(story.memory?.rewrites).to.deep.equal([]);
  });

  it('counts one rewrite however often the status is changed until it is repaired', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    story.paused = true;
    for (const error of ['one', 'two', 'three', 'four']) {
      story.overwrite({ succeeded: false, error });
      story.look(10);
    }
    expect(story.memory?.rewrites).to.deep.equal([10_000]);
    story.paused = false;
    expect(story.look(11)).to.include({ kind: 'write', repair: true });
    expect(gist(story.status).others).to.deep.equal([]);
  });

  it('WP-15: takes back a condition of ours that another manager holds, and removes it when nobody does', () => {
    const stale: Condition = {
      type: 'PodsStale',
      status: 'True',
      reason: 'PodLost',
      message: 'old',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const foreign = { ...stale, type: 'example.com/Other' };
    const held = {
      manager: 'restore',
      fieldsV1: { 'f:status': { 'f:conditions': { 'k:{"type":"PodsStale"}': { '.': {} } } } },
    };
    const status = { succeeded: true, observedGeneration: 1, conditions: [stale, foreign] };

    const kept = new StatusStory({ executor: executor({ status, managedFields: [held] }) });
    kept.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    expect(gist(kept.status).others).to.deep.equal(['PodsStale=False/NotApplicable']);

    const removed = new StatusStory({
      executor: executor({ status, managedFields: [{ ...held, manager: 'status-aggregator/ratify' }] }),
    });
    removed.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    expect(gist(removed.status).others).to.deep.equal([]);
  });

  it('J7: does not mistake a condition of another manager for a change of its own', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: reports('pod-a') });
    const foreign: Condition = {
      type: 'Other',
      status: 'True',
      reason: 'Why',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    story.overwrite({ conditions: [foreign, ...(story.status.conditions ?? [])] });
    expect(story.look(1)).to.include({ kind: 'skip', why: 'unchanged' });
  });

  it('WP-15: names every field of ours in what it sends, empty ones too', () => {
    const plan = new StatusStory({ settings: { detail: 'failing' } }).look(0);
    expect(plan.kind === 'write' && plan.named).to.have.all.keys(
      'succeeded',
      'error',
      'briefError',
      'observedGeneration',
      'conditions',
      'podCounts',
      'builds',
      'errorGroups',
      'warningGroups',
      'byPod',
      'truncated',
      'omitted',
    );
  });
});

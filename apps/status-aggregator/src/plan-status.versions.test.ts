import type { Condition, ExecutorPodStatus, ExecutorStatus } from '@executor-status/api';
import type { KubeObject } from '@executor-status/controller';
import { expect } from 'chai';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { newerReport, newerStatus, olderReport } from '../../../test/support/other-versions.ts';
import { gist, StatusStory } from '../../../test/support/status-story.ts';
import { projectReport } from './projections.ts';

const MANAGER = 'status-aggregator/ratify';

/** Reports as they come out of the API server, whoever wrote them. */
const read = (...reports: readonly object[]): ExecutorPodStatus[] =>
  reports.map((raw) => projectReport(raw as KubeObject));

const pods = (...names: readonly string[]) => names.map((name) => pod({ name }));

describe('planStatus, among writers and aggregators of other versions', () => {
  const failure = { error: 'no key', briefError: 'no key', succeeded: false };
  const writers: Record<
    string,
    { readonly reports: readonly object[]; readonly ready: string; readonly builds: string }
  > = {
    'an older writer that succeeds': {
      reports: [olderReport(report())],
      ready: 'True/BuildsInAllPods',
      builds: '1/1',
    },
    'an older writer that fails': {
      reports: [olderReport(report({ ...failure, reason: 'BuildFailed' }))],
      ready: 'False/PodsFailed',
      builds: '0/1',
    },
    'a newer writer that succeeds': {
      reports: [newerReport(report())],
      ready: 'True/BuildsInAllPods',
      builds: '1/1',
    },
    'a newer writer that fails for a reason of its own': {
      reports: [newerReport(report(failure), 'QuotaExceeded')],
      ready: 'False/PodsFailed',
      builds: '0/1',
    },
    'writers of three versions that succeed': {
      reports: [olderReport(report()), report({ pod: 'pod-b' }), newerReport(report({ pod: 'pod-c' }))],
      ready: 'True/BuildsInAllPods',
      builds: '3/3',
    },
    'writers of three versions of which the newest fails': {
      reports: [
        olderReport(report()),
        report({ pod: 'pod-b' }),
        newerReport(report({ pod: 'pod-c', ...failure }), 'QuotaExceeded'),
      ],
      ready: 'False/PodsFailed',
      builds: '2/3',
    },
  };
  for (const [name, { reports, ready, builds }] of Object.entries(writers)) {
    it(`UP-1: understands ${name}`, () => {
      const story = new StatusStory();
      const names = reports.map((one) => (one as ExecutorPodStatus).spec.pod.name);
      story.look(0, { pods: pods(...names), reports: read(...reports) });
      expect(gist(story.status).ready).to.equal(ready);
      expect(story.status).to.include({ builds, observedGeneration: 1 });
      expect(story.status.podCounts).to.include({ reporting: names.length, missing: 0, behind: 0 });
    });
  }

  it('UP-1: passes the word of a newer writer on, and no field that it does not know', () => {
    const story = new StatusStory();
    const newer = newerReport(report(failure), 'QuotaExceeded');
    story.look(0, { pods: pods('pod-a'), reports: read(newer) });
    expect(story.status.byPod?.[0]).to.include({ reason: 'QuotaExceeded', error: 'no key' });
    expect(story.status.errorGroups?.[0]).to.include({ reason: 'QuotaExceeded', count: 1 });
    expect(JSON.stringify(story.status)).not.to.contain('newer');
  });

  it('UP-1: groups pods by what fails, of whatever version their writers are', () => {
    const story = new StatusStory();
    const said = (name: string) => report({ pod: name, ...failure, reason: 'CredentialsInvalid' });
    const reports = [olderReport(said('pod-a')), said('pod-b'), newerReport(said('pod-c'))];
    story.look(0, { pods: pods('pod-a', 'pod-b', 'pod-c'), reports: read(...reports) });
    expect(story.status.errorGroups?.map(({ count }) => count)).to.deep.equal([3]);
  });

  it('UP-1: changes no verdict when the writer of a pod is replaced by one of another version', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods('pod-a'), reports: read(olderReport(report())) });
    const { byPod: _before, ...before } = story.status;
    for (const other of [newerReport(report()), report()]) story.look(10, { reports: read(other) });
    expect(story.writes.map(({ urgency }) => urgency).slice(1)).not.to.include('transition');
    const { byPod: _after, ...after } = story.status;
    expect(after).to.deep.equal(before);
  });

  describe('that finds what an aggregator of another version wrote', () => {
    const scene = { pods: pods('pod-a'), reports: [report()] };
    const right = (): ExecutorStatus => {
      const story = new StatusStory();
      story.look(0, scene);
      return story.status;
    };
    const stored = (status: ExecutorStatus, fields: object, operation = 'Apply') =>
      new StatusStory({
        executor: executor({
          status,
          managedFields: [
            { manager: MANAGER, operation, subresource: 'status', fieldsV1: { 'f:status': fields } },
          ],
        }),
      });
    const condition = 'k:{"type":"BudgetSpent"}';

    const leftovers: Record<string, object> = {
      'a field': { 'f:newerField': {} },
      'a condition': { 'f:conditions': { [condition]: { '.': {}, 'f:status': {} } } },
    };
    for (const [what, fields] of Object.entries(leftovers)) {
      it(`UP-1: takes ${what} of a newer aggregator away by one write`, () => {
        const story = stored(newerStatus(right()), fields);
        story.look(0, scene);
        expect(story.writes).to.have.lengthOf(1);
        const { status } = story.writes[0] ?? { status: { succeeded: false } };
        expect(JSON.stringify(status)).not.to.match(/newer|BudgetSpent/);
        // Whatever the server made of it.
        story.look(1);
        expect(story.writes).to.have.lengthOf(1);
      });
    }

    it('UP-1: leaves what no apply could take away', () => {
      const story = stored(newerStatus(right()), { 'f:newerField': {} }, 'Update');
      story.look(0, scene);
      expect(story.writes).to.deep.equal([]);
    });

    it('UP-1: leaves fields and conditions that others hold', () => {
      const story = stored(newerStatus(right()), { 'f:succeeded': {} });
      story.look(0, scene);
      expect(story.writes).to.deep.equal([]);
    });

    it('UP-1: keeps the times of an older aggregator, and adds what that did not know', () => {
      const { warningGroups: _groups, podCounts: _counts, conditions = [], ...status } = right();
      const lastTransitionTime = '2026-01-01T00:00:00Z';
      const before: Condition[] = conditions.map((one) => ({ ...one, lastTransitionTime }));
      const story = stored({ ...status, conditions: before }, {});
      story.look(0, scene);
      expect(story.writes).to.have.lengthOf(1);
      expect(story.status.conditions?.map((one) => one.lastTransitionTime)).to.deep.equal([
        lastTransitionTime,
      ]);
      expect(story.status.podCounts).to.include({ succeeded: 1 });
    });
  });
});

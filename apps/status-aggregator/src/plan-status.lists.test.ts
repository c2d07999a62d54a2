import { encodedBytes } from '@executor-status/api';
import { expect } from 'chai';
import { pod, report } from '../../../test/support/builders.ts';
import { StatusStory } from '../../../test/support/status-story.ts';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `pod-${String(at).padStart(4, '0')}`);

describe('planStatus, its lists', () => {
  it('B08: says of each pod what it reports, in the words of PR #2831 and ours', () => {
    const story = new StatusStory();
    const failed = report({ error: 'no key', reason: 'CredentialsInvalid', lastSucceededGeneration: 3 });
    story.look(0, { pods: [pod(), pod({ name: 'pod-b' })], reports: [report({ pod: 'pod-b' }), failed] });
    expect(story.status.byPod).to.deep.equal([
      {
        id: 'pod-a',
        observedGeneration: 1,
        succeeded: false,
        error: 'no key',
        briefError: 'no key',
        lastTransitionTime: '2026-08-06T09:00:00Z',
        reason: 'CredentialsInvalid',
        podUID: 'uid-of-pod-a',
        nodeName: 'node-1',
        lastSucceededGeneration: 3,
      },
      {
        id: 'pod-b',
        observedGeneration: 1,
        succeeded: true,
        lastTransitionTime: '2026-08-06T09:00:00Z',
        reason: 'Built',
        podUID: 'uid-of-pod-b',
        nodeName: 'node-1',
      },
    ]);
  });

  it('ID-7: tells pods of one name in two namespaces apart, and names bare pods in one', () => {
    const story = new StatusStory();
    const twins = ['x', 'y'].map((namespace) => pod({ name: 'p', namespace, uid: namespace }));
    const said = ['x', 'y'].map((namespace) => report({ pod: 'p', namespace, podUID: namespace }));
    story.look(0, { pods: twins, reports: said });
    expect(story.status.byPod?.map(({ id }) => id)).to.deep.equal(['x/p', 'y/p']);
    story.look(10, { pods: twins.slice(0, 1) });
    expect(story.status.byPod?.map(({ id }) => id)).to.deep.equal(['p']);
  });

  it('lists failing pods first, then those behind, then stale ones, each by id', () => {
    const story = new StatusStory();
    const lost = pod({ name: 'pod-a', conditions: { Ready: 'Unknown' } });
    story.look(0, {
      pods: [lost, ...['pod-b', 'pod-c', 'pod-d', 'pod-e'].map((name) => pod({ name }))],
      reports: [
        report({ pod: 'pod-e', error: 'x' }),
        report({ pod: 'pod-d', error: 'x' }),
        report({ pod: 'pod-c', executorGeneration: 0 }),
        report({ pod: 'pod-b' }),
        report(),
      ],
    });
    expect(story.status.byPod?.map(({ id }) => id)).to.deep.equal([
      'pod-d',
      'pod-e',
      'pod-c',
      'pod-a',
      'pod-b',
    ]);
  });

  it('AG-7: shows all 40 failing ones of 2,000 pods, and says how many it leaves out', () => {
    const names = numbered(2000);
    const story = new StatusStory();
    const fails = (at: number) => at % 50 === 49;
    story.look(0, {
      pods: names.map((name) => pod({ name })),
      reports: names.map((name, at) => report({ pod: name, ...(fails(at) && { error: 'no key' }) })),
    });
    const { byPod = [], truncated, omitted, podCounts, builds } = story.status;
    expect(byPod).to.have.lengthOf(100);
    expect(byPod.filter(({ succeeded }) => !succeeded)).to.have.lengthOf(40);
    expect({ truncated, omitted, builds }).to.deep.equal({
      truncated: true,
      omitted: 1900,
      builds: '1960/2000',
    });
    expect(podCounts).to.include({ expected: 2000, reporting: 2000, succeeded: 1960, failed: 40 });
  });

  it('AG-6: groups 500 failing pods by their three causes, whatever is different in each text', () => {
    const names = numbered(500);
    const texts = (at: number) => [
      `cannot reach vault.example:443 from ${names[at]} at 2026-08-06T09:0${at % 10}:00Z`,
      `no certificate in /certs/ca.pem`,
      `denied (request 6f1d${String(at).padStart(4, '0')}-0000-4000-8000-0123456789ab)`,
    ];
    const cause = (at: number) => Math.min(2, Math.floor(at / 200));
    const story = new StatusStory();
    story.look(0, {
      pods: names.map((name) => pod({ name })),
      reports: names.map((name, at) => report({ pod: name, error: texts(at)[cause(at)] ?? '' })),
    });
    const groups = story.status.errorGroups ?? [];
    expect(groups.map(({ count }) => count)).to.deep.equal([200, 200, 100]);
    expect(groups.map(({ examplePods }) => examplePods)).to.deep.equal([
      ['pod-0000', 'pod-0001', 'pod-0002'],
      ['pod-0200', 'pod-0201', 'pod-0202'],
      ['pod-0400', 'pod-0401', 'pod-0402'],
    ]);
    expect(story.status.error).to.match(/^500\/500 replicas unhealthy: cannot reach/);
    expect(story.status.truncated).to.equal(true);
  });

  it('shows ten error groups at most, and says that there are more', () => {
    const names = numbered(12);
    const story = new StatusStory({ settings: { maxEntries: 50 } });
    const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
    story.look(0, {
      pods: names.map((name) => pod({ name })),
      reports: names.map((name, at) => report({ pod: name, error: `cause ${words[at]}` })),
    });
    expect(story.status.errorGroups).to.have.lengthOf(10);
    expect(story.status).to.include({ truncated: true, omitted: 0 });
  });

  it('shows the root cause of a group whose chain of causes is too long to show', () => {
    const story = new StatusStory();
    const long = report({ error: `${'while doing this: '.repeat(20)}no key`, briefError: 'no key' });
    story.look(0, { pods: [pod()], reports: [long] });
    expect(story.status.errorGroups?.[0]).to.include({ message: 'no key', reason: 'BuildFailed' });
  });

  it('groups warnings by what they say, and counts a pod once', () => {
    const story = new StatusStory();
    const warnings = [{ code: 'CertificateExpired', path: '$.a', message: 'ended' }];
    story.look(0, {
      pods: [pod(), pod({ name: 'pod-b' })],
      reports: [report({ warnings: [...warnings, ...warnings] }), report({ pod: 'pod-b', warnings })],
    });
    expect(story.status.warningGroups).to.deep.equal([
      { code: 'CertificateExpired', message: '$.a: ended', count: 2, examplePods: ['pod-a', 'pod-b'] },
    ]);
  });

  it('shows five groups of warnings at most, and says that there are more', () => {
    const story = new StatusStory();
    const warn = (...codes: string[]) => codes.map((code) => ({ code, path: '$', message: `about ${code}` }));
    const [a, b] = [pod(), pod({ name: 'pod-b' })];
    story.look(0, {
      pods: [a, b],
      reports: [
        report({ warnings: warn('A', 'B', 'C') }),
        report({ pod: 'pod-b', warnings: warn('D', 'E') }),
      ],
    });
    expect(story.status.warningGroups).to.have.lengthOf(5);
    expect(story.status).to.include({ truncated: false });
    story.look(100, {
      reports: [
        report({ warnings: warn('A', 'B', 'C') }),
        report({ pod: 'pod-b', warnings: warn('D', 'E', 'F') }),
      ],
    });
    expect(story.status.warningGroups).to.have.lengthOf(5);
    expect(story.status).to.include({ truncated: true, omitted: 0 });
  });

  it('SC-4: does not take a pod that is behind past its grace for a healthy one when it shrinks', () => {
    const names = numbered(60);
    const story = new StatusStory({ settings: { maxStatusBytes: 8000 } });
    const current = (name: string) => report({ pod: name, executorGeneration: 2 });
    story.look(0, {
      pods: names.map((name) => pod({ name })),
      reports: names.map((name) => report({ pod: name })),
    });
    story.edit();
    const built = names.slice(2).map(current);
    const late = names.slice(0, 2).map((name) => report({ pod: name }));
    story.look(100, { reports: [...late, ...built] });
    story.look(200);
    expect(story.status.byPod?.map(({ id }) => id)).to.deep.equal(names.slice(0, 2));
    expect(story.status).to.include({ truncated: true, omitted: 58 });
  });

  it('SC-4, B33: stays below 512 KiB as stored with 2,000 pods that each report 4 KiB of other characters', () => {
    const names = numbered(2000);
    const story = new StatusStory({ settings: { maxEntries: 256 } });
    story.look(0, {
      pods: names.map((name) => pod({ name })),
      reports: names.map((name, at) => report({ pod: name, error: `${letters(at)} ${'<&>😀'.repeat(580)}` })),
    });
    const { status } = story;
    expect(encodedBytes(status)).to.be.at.most(512 * 1024);
    expect(status).to.include({ truncated: true, omitted: 2000 - (status.byPod?.length ?? 0) });
    expect(status.byPod).not.to.deep.equal([]);
    expect(status.podCounts).to.include({ expected: 2000, failed: 2000 });
  });

  it('SC-4: says that it is truncated when only errors of entries are', () => {
    const names = numbered(40);
    const story = new StatusStory({ settings: { maxStatusBytes: 30_000 } });
    story.look(0, {
      pods: names.map((name) => pod({ name })),
      reports: names.map((name) => report({ pod: name, error: 'e'.repeat(500) })),
    });
    expect(story.status.byPod).to.have.lengthOf(40);
    expect(story.status.errorGroups).to.have.lengthOf(1);
    expect(story.status).to.include({ truncated: true, omitted: 0 });
  });

  it('SC-4: shrinks in order: shorter entry errors, none, no healthy entries, fewer groups, fewer entries', () => {
    const names = numbered(40);
    const shape = (maxStatusBytes: number) => {
      const story = new StatusStory({ settings: { maxStatusBytes } });
      story.look(0, {
        pods: names.map((name) => pod({ name })),
        reports: names.map((name, at) =>
          report({ pod: name, ...(at % 2 === 0 && { error: `${letters(at)}: ${'e'.repeat(500)}` }) }),
        ),
      });
      const { byPod = [], errorGroups = [] } = story.status;
      const longest = Math.max(0, ...byPod.map(({ error = '' }) => error.length));
      const failing = byPod.filter(({ succeeded }) => !succeeded).length;
      return `${longest} ${failing}+${byPod.length - failing} ${errorGroups.length}`;
    };
    const sizes = Array.from({ length: 80 }, (_, at) => 40_000 - at * 500);
    // The longest entry error, failing and healthy entries, groups.
    expect([...new Set(sizes.map(shape))].slice(0, 7)).to.deep.equal([
      '504 20+20 10',
      '254 20+20 10',
      '0 20+20 10',
      '0 20+0 10',
      '0 20+0 3',
      '0 10+0 3',
      '0 5+0 3',
    ]);
  });
});

/** A word that stands for `at` and is neither a number nor hexadecimal, so that it keeps groups apart. */
const letters = (at: number) => String(at).replace(/\d/g, (digit) => 'ghijkmnopq'.charAt(Number(digit)));

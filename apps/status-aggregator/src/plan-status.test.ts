import type { ExecutorPodStatus, ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { gist, type Scene, StatusStory } from '../../../test/support/status-story.ts';
import type { StatusSettings } from './status-settings.ts';

const PODS = ['pod-a', 'pod-b', 'pod-c', 'pod-d', 'pod-e'];
const pods = (...names: string[]) => names.map((name) => pod({ name }));
const reports = (...names: string[]) => names.map((name) => report({ pod: name }));

describe('planStatus, at the first look', () => {
  interface Row extends Scene {
    readonly settings?: Partial<StatusSettings>;
    readonly stored?: ExecutorStatus;
    readonly generation?: number;
    readonly want: Partial<ReturnType<typeof gist>>;
  }

  const rows: Record<string, Row> = {
    'AG-4, S2: says that no pod runs, on the first visit to a fresh executor': {
      want: {
        succeeded: false,
        error: 'no Ratify pod runs',
        generation: 0,
        ready: 'Unknown/NoPods',
        others: ['Reconciling=True/Building'],
      },
    },
    'says that it builds while no pod has reported': {
      pods: pods(...PODS),
      want: {
        succeeded: false,
        error: 'building: 0/5 pods have reported',
        generation: 0,
        ready: 'Unknown/Building',
        others: ['Reconciling=True/Building'],
      },
    },
    'claims no success while one pod has yet to report': {
      pods: pods('pod-a', 'pod-b'),
      reports: reports('pod-a'),
      want: { succeeded: false, error: 'building: 1/2 pods have reported', ready: 'Unknown/Building' },
    },
    'WP-5: takes a report without a status for no report, never for a failure': {
      pods: pods('pod-a', 'pod-b'),
      reports: [report(), report({ pod: 'pod-b', silent: true })],
      want: { succeeded: false, error: 'building: 1/2 pods have reported', ready: 'Unknown/Building' },
    },
    'succeeds when every pod built this generation': {
      pods: pods(...PODS),
      reports: reports(...PODS),
      want: { succeeded: true, error: '', generation: 1, ready: 'True/BuildsInAllPods', others: [] },
    },
    'P4: names how many pods fail and why, at the first failure': {
      pods: pods(...PODS),
      reports: [
        ...reports('pod-a', 'pod-c', 'pod-e'),
        report({ pod: 'pod-b', error: 'no key' }),
        report({ pod: 'pod-d', error: 'no key' }),
      ],
      want: {
        succeeded: false,
        error: '2/5 replicas unhealthy: no key (pod-b, pod-d)',
        generation: 1,
        ready: 'False/PodsFailed',
        others: [],
      },
    },
    'settles with the first failure, and says that others are still rolling out': {
      pods: pods('pod-a', 'pod-b'),
      reports: [report({ error: 'no key' })],
      want: {
        error: '1/2 replicas unhealthy: no key (pod-a)',
        generation: 1,
        ready: 'False/PodsFailed',
        others: ['Reconciling=True/RollingOut'],
      },
    },
    'P5: is stalled, and no longer reconciling, when the spec is wrong in every pod that reports': {
      pods: pods('pod-a', 'pod-b', 'pod-c'),
      reports: [
        report({ error: 'leaf', reason: 'ConfigInvalid' }),
        report({ pod: 'pod-b', error: 'leaf', reason: 'ConfigInvalid' }),
      ],
      want: { ready: 'False/PodsFailed', others: ['Stalled=True/ConfigInvalid'] },
    },
    'P5: is not stalled by a fault of the environment': {
      pods: pods('pod-a'),
      reports: [report({ error: 'no answer', reason: 'ProviderUnreachable' })],
      want: { ready: 'False/PodsFailed', others: [] },
    },
    'says that no pod has the sidecar': {
      pods: [pod({ writer: 'absent' })],
      want: {
        error: 'no Ratify pod has the executor-writer sidecar: restart the pods',
        ready: 'Unknown/Building',
      },
    },
    'AG-3: is not sure while one pod has no sidecar': {
      pods: [pod(), pod({ name: 'pod-b', writer: 'absent' })],
      reports: reports('pod-a'),
      want: { succeeded: true, generation: 1, ready: 'Unknown/PodsUnobserved', others: [] },
    },
    'AG-3: expects nothing of a pod that opted out': {
      pods: [pod(), pod({ name: 'pod-b', optedOut: true })],
      reports: reports('pod-a'),
      want: { succeeded: true, ready: 'True/BuildsInAllPods' },
    },
    'GC-4, B32: expects nothing of pods that are over, going, or not scheduled, and ignores what they reported':
      {
        pods: [
          pod(),
          pod({ name: 'pod-b', phase: 'Failed' }),
          pod({ name: 'pod-c', phase: 'Succeeded' }),
          pod({ name: 'pod-d', deletionTimestamp: '2026-08-06T09:00:00Z' }),
          pod({ name: 'pod-e', nodeName: undefined }),
        ],
        reports: [
          report(),
          ...['pod-b', 'pod-c', 'pod-d', 'pod-e'].map((name) => report({ pod: name, error: 'late' })),
        ],
        want: { succeeded: true, ready: 'True/BuildsInAllPods', others: [] },
      },
    'ID-5: ignores a report about an earlier executor of the same name': {
      pods: pods('pod-a'),
      reports: [report({ executorUID: 'earlier-uid', error: 'old' })],
      want: { error: 'building: 0/1 pods have reported', ready: 'Unknown/Building' },
    },
    'ID-6: ignores a report of an earlier pod of the same name': {
      pods: pods('pod-a'),
      reports: [report({ podUID: 'earlier-uid', error: 'old' })],
      want: { error: 'building: 0/1 pods have reported', ready: 'Unknown/Building' },
    },
    'ID-6: ignores a report that names a pod by its uid but not by its name': {
      pods: pods('pod-a'),
      reports: [report({ pod: 'pod-z', podUID: 'uid-of-pod-a', error: 'forged' })],
      want: { error: 'building: 0/1 pods have reported' },
    },
    'ignores a report that lies in another namespace than its pod': {
      pods: pods('pod-a'),
      reports: [report({ namespace: 'elsewhere', error: 'forged' })],
      want: { error: 'building: 0/1 pods have reported' },
    },
    'ID-3: takes a report under a random name': {
      pods: pods('pod-a'),
      reports: [report({ name: 'r4nd0m' })],
      want: { succeeded: true, ready: 'True/BuildsInAllPods' },
    },
    'ID-3: lets the report under the proper name speak when a pod has two': {
      pods: pods('pod-a'),
      reports: [report({ name: 'a-copy', error: 'copy' }), report()],
      want: { succeeded: true, ready: 'True/BuildsInAllPods' },
    },
    'ID-3: lets no report that speaks of something else hide the one that speaks for the pod': {
      pods: pods('pod-a'),
      reports: [report({ executorUID: 'earlier-uid', error: 'old' }), report({ name: 'r4nd0m' })],
      want: { succeeded: true, ready: 'True/BuildsInAllPods' },
    },
    'ID-3: lets no report without a status hide the one that speaks for the pod': {
      pods: pods('pod-a'),
      reports: [report({ silent: true }), report({ name: 'r4nd0m' })],
      want: { succeeded: true, ready: 'True/BuildsInAllPods' },
    },
    'WP-8: is not ready while another executor of the set blocks, yet says that it builds itself': {
      pods: pods('pod-a'),
      reports: reports('pod-a'),
      blockedBy: 'broken',
      want: {
        succeeded: true,
        error: '',
        ready: 'False/BlockedBySibling',
        others: ['BlockedBySibling=True/SiblingFailed'],
      },
    },
    'ST-2: is not sure when a pod is lost with its node': {
      pods: [pod({ conditions: { Ready: 'False', ContainersReady: 'True' } }), pod({ name: 'pod-b' })],
      reports: reports('pod-a', 'pod-b'),
      want: { succeeded: true, ready: 'Unknown/PodsStale', others: ['PodsStale=True/PodLost'] },
    },
    'ST-4: says that Ratify did not follow when it has run since before the recovery': {
      pods: [pod({ ratifyStartedAt: '2026-08-06T08:00:00Z' })],
      reports: [report({ recoveredAt: '2026-08-06T09:00:00Z' })],
      want: {
        succeeded: true,
        ready: 'Unknown/RatifyMayBeStale',
        others: ['RatifyMayBeStale=True/NotRebuiltSinceRecovery'],
      },
    },
    'ST-4: trusts a Ratify that started after the recovery, or has yet to start': {
      pods: [pod({ ratifyStartedAt: '2026-08-06T09:30:00Z' }), pod({ name: 'pod-b' })],
      reports: [
        report({ recoveredAt: '2026-08-06T09:00:00Z' }),
        report({ pod: 'pod-b', recoveredAt: '2026-08-06T09:00:00Z' }),
      ],
      want: { ready: 'True/BuildsInAllPods', others: [] },
    },
    'ST-4: does not speak of it where Ratify retries by itself': {
      settings: { showRatifyLag: false },
      pods: [pod({ ratifyStartedAt: '2026-08-06T08:00:00Z' })],
      reports: [report({ recoveredAt: '2026-08-06T09:00:00Z' })],
      want: { ready: 'True/BuildsInAllPods', others: [] },
    },
    'WP-14: says when settled pods loaded different material': {
      pods: pods('pod-a', 'pod-b'),
      reports: [report({ materialDigest: 'aa' }), report({ pod: 'pod-b', materialDigest: 'bb' })],
      want: { ready: 'True/BuildsInAllPods', others: ['MaterialDiverged=True/DigestsDiffer'] },
    },
    'S8: says that a certificate ends within seven days, and that is no verdict': {
      pods: pods('pod-a'),
      reports: [withCertificate('2026-08-13T09:50:00Z')],
      want: {
        succeeded: true,
        ready: 'True/BuildsInAllPods',
        others: ['CredentialsExpiring=True/ExpiresSoon'],
      },
    },
    'says nothing of a certificate that ends later': {
      pods: pods('pod-a'),
      reports: [withCertificate('2026-08-13T09:50:01Z')],
      want: { others: [] },
    },
    'FB-7: says that a certificate has ended, and that is no verdict': {
      pods: pods('pod-a'),
      reports: [withCertificate('2026-08-06T09:50:00Z')],
      want: { succeeded: true, ready: 'True/BuildsInAllPods', others: ['CredentialsExpiring=True/Expired'] },
    },
    'keeps the settled statement about the older generation while a newer one builds': {
      generation: 4,
      stored: { succeeded: true, error: '', briefError: '', observedGeneration: 3 },
      pods: pods('pod-a', 'pod-b'),
      reports: [report({ executorGeneration: 4 }), report({ pod: 'pod-b', executorGeneration: 3 })],
      want: {
        succeeded: true,
        error: '',
        generation: 3,
        ready: 'Unknown/Building',
        others: ['Reconciling=True/Building'],
      },
    },
    'moves the whole verdict to the new generation when the last pod has built it': {
      generation: 4,
      stored: {
        succeeded: false,
        error: '1/2 replicas unhealthy: x',
        briefError: 'x',
        observedGeneration: 3,
      },
      pods: pods('pod-a', 'pod-b'),
      reports: [report({ executorGeneration: 4 }), report({ pod: 'pod-b', executorGeneration: 4 })],
      want: { succeeded: true, error: '', generation: 4, ready: 'True/BuildsInAllPods', others: [] },
    },
    'takes a stored generation from the future for nobody’s word': {
      stored: { succeeded: true, observedGeneration: 7 },
      pods: pods('pod-a'),
      want: { succeeded: false, error: 'building: 0/1 pods have reported', generation: 0 },
    },
    'takes what a Ratify without our fields stored for nobody’s word': {
      stored: { succeeded: false, error: 'from Ratify' },
      pods: pods('pod-a'),
      want: { succeeded: false, error: 'building: 0/1 pods have reported', generation: 0 },
    },
    'AG-5: stays settled while a new pod has yet to report': {
      stored: { succeeded: true, observedGeneration: 1 },
      pods: pods('pod-a', 'pod-b'),
      reports: reports('pod-a'),
      want: {
        succeeded: true,
        generation: 1,
        ready: 'True/BuildsInAllPods',
        others: ['Reconciling=True/RollingOut'],
      },
    },
    'lets the settled statement stand while every pod is being replaced': {
      stored: { succeeded: true, observedGeneration: 1 },
      pods: pods('pod-a', 'pod-b'),
      want: {
        succeeded: true,
        generation: 1,
        ready: 'Unknown/Building',
        others: ['Reconciling=True/RollingOut'],
      },
    },
    'lets the settled statement stand while nothing runs': {
      stored: { succeeded: true, observedGeneration: 1 },
      want: { succeeded: true, generation: 1, ready: 'Unknown/NoPods', others: [] },
    },
    'FB-8: leaves figures and rollouts out when only failures are asked for': {
      settings: { detail: 'failing' },
      stored: { succeeded: true, observedGeneration: 1 },
      pods: pods('pod-a', 'pod-b'),
      reports: reports('pod-a'),
      want: { succeeded: true, ready: 'True/BuildsInAllPods', others: [] },
    },
  };

  for (const [name, { settings = {}, stored, generation = 1, want, ...scene }] of Object.entries(rows)) {
    it(name, () => {
      const story = new StatusStory({
        executor: executor({ generation, ...(stored && { status: stored }) }),
        settings,
      });
      story.look(0, scene);
      expect(gist(story.status)).to.deep.include(want);
    });
  }

  it('does nothing when the executor is gone, or going', () => {
    const gone = new StatusStory({ executor: executor({ deletionTimestamp: '2026-08-06T09:00:00Z' }) });
    expect(gone.look(0, { pods: pods('pod-a'), reports: reports('pod-a') })).to.deep.equal({
      kind: 'skip',
      why: 'executor-terminating',
    });
  });

  it('asks for a newer copy of the executor when a pod reports a generation that it does not know', () => {
    const story = new StatusStory();
    const plan = story.look(0, { pods: pods('pod-a'), reports: [report({ executorGeneration: 2 })] });
    expect(plan).to.deep.equal({ kind: 'skip', why: 'executor-outdated' });
  });

  it('S9: does not write a status that is already there', () => {
    const story = new StatusStory();
    const scene = { pods: pods(...PODS), reports: reports(...PODS) };
    story.look(0, scene);
    expect(story.look(1)).to.include({ kind: 'skip', why: 'unchanged' });
    story.restart();
    expect(story.look(2)).to.include({ kind: 'skip', why: 'unchanged' });
  });

  it('says the same whatever order the reports come in, and keeps B03’s dead pods out', () => {
    const story = new StatusStory();
    story.look(0, { pods: pods(...PODS), reports: reports(...PODS) });
    expect(story.status.byPod?.map(({ id }) => id)).to.deep.equal(PODS);
    story.look(100, { pods: pods('pod-f', 'pod-e'), reports: reports(...PODS, 'pod-f') });
    expect(story.status.byPod?.map(({ id }) => id)).to.deep.equal(['pod-e', 'pod-f']);
  });
});

function withCertificate(notAfter: string): ExecutorPodStatus {
  return report({ material: [{ path: '$.verifiers[0]', source: '/certs/ca.pem', sha256: 'ab', notAfter }] });
}

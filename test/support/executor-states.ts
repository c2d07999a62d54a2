import type { Executor } from '@executor-status/api';
import type { StatusSettings } from '../../apps/status-aggregator/src/status-settings.ts';
import { executor, pod, type ReportFields, report } from './builders.ts';
import type { KstatusAnswer } from './kstatus.ts';
import { type Scene, StatusStory } from './status-story.ts';

/** An executor as an aggregator leaves it, and what generic tools are to say of it. */
export interface ExecutorState {
  readonly executor: Executor;
  readonly kstatus: KstatusAnswer['status'];
}

/** Scenes with their seconds; an edit of the spec comes before a scene that asks for it. */
interface Tale {
  readonly kstatus: KstatusAnswer['status'];
  readonly settings?: Partial<StatusSettings>;
  readonly scenes: readonly (Scene & { readonly atS: number; readonly edited?: boolean })[];
  readonly ending?: (told: Executor) => Executor;
}

const PODS = ['pod-a', 'pod-b', 'pod-c'];
const pods = PODS.map((name) => pod({ name }));
const all = (fields: ReportFields = {}) => PODS.map((name) => report({ pod: name, ...fields }));
const one = (fields: ReportFields, others: ReportFields = {}) => [
  report(fields),
  report({ pod: 'pod-b', ...others }),
  report({ pod: 'pod-c', ...others }),
];
const INVALID = { error: 'leaf certificate', reason: 'ConfigInvalid' } as const;
const NEWER = { executorGeneration: 2 };
const built = { atS: 0, pods, reports: all() };

const TALES: Readonly<Record<string, Tale>> = {
  'no pod runs': { kstatus: 'InProgress', scenes: [{ atS: 0 }] },
  'no pod has reported yet': { kstatus: 'InProgress', scenes: [{ atS: 0, pods }] },
  'some pods have reported': { kstatus: 'InProgress', scenes: [{ atS: 0, pods, reports: all().slice(1) }] },
  'all pods have built it': { kstatus: 'Current', scenes: [built] },
  'one pod fails for a passing reason': {
    kstatus: 'InProgress',
    scenes: [{ atS: 0, pods, reports: one({ error: 'no answer', reason: 'ProviderUnreachable' }) }],
  },
  'all pods fail for a passing reason': {
    kstatus: 'InProgress',
    scenes: [{ atS: 0, pods, reports: all({ error: 'no answer', reason: 'ProviderUnreachable' }) }],
  },
  'the spec is wrong': { kstatus: 'Failed', scenes: [{ atS: 0, pods, reports: all(INVALID) }] },
  'the spec is wrong, as the only pod that reports says': {
    kstatus: 'Failed',
    scenes: [{ atS: 0, pods, reports: [report(INVALID)] }],
  },
  'an edit has not been built yet': { kstatus: 'InProgress', scenes: [built, { atS: 60, edited: true }] },
  'an edit has been built in some pods': {
    kstatus: 'InProgress',
    scenes: [built, { atS: 60, edited: true, reports: one(NEWER) }],
  },
  'an edit is wrong, as the first of three pods says': {
    kstatus: 'InProgress',
    scenes: [built, { atS: 60, edited: true, reports: one({ ...INVALID, ...NEWER }) }],
  },
  'an edit is wrong': {
    kstatus: 'Failed',
    scenes: [built, { atS: 60, edited: true, reports: all({ ...INVALID, ...NEWER }) }],
  },
  'an edit of a wrong spec has not been built yet': {
    kstatus: 'InProgress',
    scenes: [
      { atS: 0, pods, reports: all(INVALID) },
      { atS: 60, edited: true },
    ],
  },
  'an edit has been built in all pods': {
    kstatus: 'Current',
    scenes: [built, { atS: 60, edited: true, reports: all(NEWER) }],
  },
  'a new pod has yet to report': {
    kstatus: 'InProgress',
    scenes: [built, { atS: 90, pods: [...pods, pod({ name: 'pod-d' })] }],
  },
  'a pod has not reported in time': {
    kstatus: 'InProgress',
    scenes: [{ atS: 0, pods, reports: all().slice(1) }, { atS: 61 }],
  },
  'a pod has no sidecar': {
    kstatus: 'InProgress',
    scenes: [{ ...built, pods: [...pods, pod({ name: 'pod-d', writer: 'absent' })] }],
  },
  'a pod is lost': {
    kstatus: 'InProgress',
    scenes: [built, { atS: 90, pods: pods.map(lostFirst) }],
  },
  'another executor blocks its set': { kstatus: 'InProgress', scenes: [{ ...built, blockedBy: 'other' }] },
  'Ratify has not followed a recovery': {
    kstatus: 'InProgress',
    scenes: [
      {
        atS: 0,
        pods: PODS.map((name) => pod({ name, ratifyStartedAt: '2026-08-06T08:00:00Z' })),
        reports: one({ recoveredAt: '2026-08-06T09:00:00Z' }),
      },
    ],
  },
  'pods have loaded different certificates': {
    kstatus: 'Current',
    scenes: [{ atS: 0, pods, reports: one({ materialDigest: 'one' }, { materialDigest: 'other' }) }],
  },
  'a certificate has ended': {
    kstatus: 'Current',
    scenes: [
      {
        atS: 0,
        pods,
        reports: all({
          material: [{ path: 'a', source: 'ca.crt', sha256: '00', notAfter: '2026-01-01T00:00:00Z' }],
        }),
      },
    ],
  },
  'all pods have built it, and only failures are listed': {
    kstatus: 'Current',
    settings: { detail: 'failing' },
    scenes: [built],
  },
  'it is being deleted': {
    kstatus: 'Terminating',
    scenes: [built],
    ending: (told) => ({
      ...told,
      metadata: { ...told.metadata, deletionTimestamp: '2026-08-06T10:00:00Z' },
    }),
  },
};

function lostFirst(one: ReturnType<typeof pod>, at: number): ReturnType<typeof pod> {
  return at > 0 ? one : pod({ name: 'pod-a', conditions: { Ready: 'False', ContainersReady: 'True' } });
}

/** Two dozen states of an executor, by what has happened, each made by the aggregator's own decisions. */
export function executorStates(): Readonly<Record<string, ExecutorState>> {
  return Object.fromEntries(Object.entries(TALES).map(([name, tale]) => [name, told(tale)]));
}

function told({ scenes, settings = {}, kstatus, ending = (same) => same }: Tale): ExecutorState {
  const story = new StatusStory({ executor: executor(), settings });
  for (const { atS, edited = false, ...scene } of scenes) {
    if (edited) story.edit();
    story.look(atS, scene);
  }
  return { executor: ending(story.executor), kstatus };
}

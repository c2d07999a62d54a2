import type { Executor, ExecutorPodStatus } from '@executor-status/api';
import { KeyTimers, type WatchEvent, WorkQueue } from '@executor-status/controller';
import { expect } from 'chai';
import { defer, EMPTY, NEVER, Subject, type Subscription } from 'rxjs';
import { executor, pod as kubePod, report } from '../../../test/support/builders.ts';
import { closedList } from '../../../test/support/closed-list.ts';
import { silentLog } from '../../../test/support/silent-log.ts';
import { silentMetrics } from '../../../test/support/silent-metrics.ts';
import { type AggregatorChain, runAggregator } from './aggregator.ts';
import { Mismatches } from './mismatches.ts';
import { type KubePod, type Pod, projectPod } from './pod.ts';
import { Sightings } from './sightings.ts';
import type { StatusKeeper } from './status-keeper.ts';
import { World } from './world.ts';

const NAMESPACE = 'ratify';

describe('runAggregator', () => {
  const running: Subscription[] = [];
  afterEach(() => {
    for (const one of running.splice(0)) one.unsubscribe();
  });

  it('is woken by a closed list of things, and by nothing else (C3)', () => {
    const inputs: string[] = [];
    const input = (name: string) =>
      defer(() => {
        inputs.push(name);
        return NEVER;
      });
    const beats: number[] = [];
    const closed = closedList<AggregatorChain>({
      executors: { Executor: input('executors'), NamespacedExecutor: input('namespaced executors') },
      reports: new Map([[NAMESPACE, input('reports')]]),
      pods: new Map([[NAMESPACE, input('pods')]]),
      timers: { due: input('alarms') },
      asked: input('what other looks ask for'),
      schemaChanges: input('changes of the CRDs'),
      leadership: input('leadership'),
      resyncMs: 7_200_000,
      // Asked for once when a beat begins.
      random: () => (beats.push(0), 0.5),
      world: {},
      sightings: {},
      mismatches: {},
      keeper: {},
      concurrency: 1,
      queue: new WorkQueue(),
      now: () => 0,
    });
    running.push(runAggregator(closed).subscribe());
    expect(inputs).to.have.members([
      'executors',
      'namespaced executors',
      'reports',
      'pods',
      'alarms',
      'what other looks ask for',
      'changes of the CRDs',
      'leadership',
    ]);
    // That of the resync.
    expect(beats).to.have.length(1);
  });

  const [first, second] = [named('first'), named('second')];
  const bare = kubePod({ name: 'pod-a' });
  const all = ['first', 'second'];
  const rows: Record<string, { readonly happens: (streams: Streams) => void; readonly looks: string[] }> = {
    'looks at the executor that is changed': {
      happens: ({ executors }) => executors.next({ kind: 'applied', object: versioned(first) }),
      looks: ['first'],
    },
    'looks at the executor that is removed': {
      happens: ({ executors }) => executors.next({ kind: 'deleted', object: first }),
      looks: ['first'],
    },
    'looks at the executor that a new report is about, and at no other': {
      happens: ({ reports }) => reports.next({ kind: 'applied', object: reportOn('second') }),
      looks: ['second'],
    },
    'looks at the executor that a removed report was about': {
      happens: ({ reports }) => {
        reports.next({ kind: 'applied', object: reportOn('first') });
        reports.next({ kind: 'deleted', object: reportOn('first') });
      },
      looks: ['first', 'first'],
    },
    'looks at all executors when a pod comes': {
      happens: ({ pods }) => pods.next({ kind: 'applied', object: projectPod(bare, '') }),
      looks: all,
    },
    'looks at nothing when a kubelet says again what it has said': {
      happens: ({ pods }) => {
        pods.next({ kind: 'applied', object: projectPod(bare, '') });
        pods.next({ kind: 'applied', object: projectPod(versioned(bare), '') });
      },
      looks: all,
    },
    'looks at all executors when a list is complete again': {
      happens: ({ reports }) => reports.next({ kind: 'synced', objects: [] }),
      looks: all,
    },
    'looks at all executors when it is elected': {
      happens: ({ leadership }) => leadership.next('leader'),
      looks: all,
    },
    'looks at nothing when it is not': {
      happens: ({ leadership }) => leadership.next('follower'),
      looks: [],
    },
    'looks at all executors when a CRD has changed': {
      happens: ({ schemaChanges }) => schemaChanges.next('another hash'),
      looks: all,
    },
    'looks at the executor that another look asks for': {
      happens: ({ asked }) => asked.next('second'),
      looks: ['second'],
    },
  };
  for (const [name, { happens, looks }] of Object.entries(rows)) {
    it(`${name} (C3, AG-8)`, () => {
      const { streams, looked } = start();
      streams.executors.next({ kind: 'synced', objects: [first, second] });
      looked.length = 0;
      happens(streams);
      expect(looked).to.deep.equal(looks);
    });
  }

  function start() {
    const streams = newStreams();
    const looked: string[] = [];
    const keeper = {
      reconcile: (key: string) => {
        looked.push(key);
        // Over at once, so that the next news ask for a look of its own.
        return EMPTY;
      },
      isAboutToLook: () => false,
      canWait: () => false,
      doubtAll: () => undefined,
      tryAllFields: () => undefined,
    };
    const chain = {
      executors: { Executor: streams.executors, NamespacedExecutor: NEVER },
      reports: new Map([[NAMESPACE, streams.reports]]),
      pods: new Map([[NAMESPACE, streams.pods]]),
      world: new World([NAMESPACE]),
      sightings: new Sightings(),
      mismatches: new Mismatches({ log: silentLog, metrics: silentMetrics }),
      keeper: keeper as unknown as StatusKeeper,
      timers: new KeyTimers(),
      asked: streams.asked,
      schemaChanges: streams.schemaChanges,
      leadership: streams.leadership,
      resyncMs: 7_200_000,
      concurrency: 8,
      queue: new WorkQueue(),
      now: () => 0,
      random: () => 0.5,
    };
    running.push(runAggregator(chain).subscribe());
    return { streams, looked };
  }
});

function newStreams() {
  return {
    executors: new Subject<WatchEvent<Executor>>(),
    reports: new Subject<WatchEvent<ExecutorPodStatus>>(),
    pods: new Subject<WatchEvent<Pod>>(),
    asked: new Subject<string>(),
    schemaChanges: new Subject<string>(),
    leadership: new Subject<'leader' | 'follower' | 'lost'>(),
  };
}

type Streams = ReturnType<typeof newStreams>;

function named(name: string): Executor {
  const one = executor();
  return { ...one, metadata: { ...one.metadata, name, uid: `uid-${name}` } };
}

function reportOn(name: string): ExecutorPodStatus {
  return report({ pod: 'pod-a', executorRef: { kind: 'Executor', name } });
}

/** The same, as it was stored once more. */
function versioned<T extends Executor | KubePod>(object: T): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion: '999' } };
}

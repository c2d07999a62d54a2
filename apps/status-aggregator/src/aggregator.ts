import {
  EXECUTOR_KINDS,
  type Executor,
  type ExecutorKind,
  type ExecutorPodStatus,
} from '@executor-status/api';
import {
  type Change,
  type KeyTimers,
  type KubeObject,
  type Reconciled,
  reconcileEach,
  resync,
  type WatchEvent,
  type Work,
  type WorkQueue,
} from '@executor-status/controller';
import type { LeaderState } from '@executor-status/kube';
import { concatMap, filter, from, map, merge, mergeMap, type Observable, tap } from 'rxjs';
import { applyEvent } from './apply-event.ts';
import { executorKey } from './executor-key.ts';
import type { Mismatches } from './mismatches.ts';
import type { Pod } from './pod.ts';
import { sameValue } from './same-status.ts';
import type { Sightings } from './sightings.ts';
import type { StatusKeeper } from './status-keeper.ts';
import type { World } from './world.ts';

/** The parts that the aggregator joins, and how often it looks by itself. */
export interface AggregatorChain {
  /** Everything there is, and then its changes; none of them fails or ends. */
  readonly executors: Readonly<Record<ExecutorKind, Observable<WatchEvent<Executor>>>>;
  /** By namespace, the same ones as in `world`. */
  readonly reports: ReadonlyMap<string, Observable<WatchEvent<ExecutorPodStatus>>>;
  readonly pods: ReadonlyMap<string, Observable<WatchEvent<Pod>>>;
  readonly world: World;
  readonly sightings: Sightings;
  readonly mismatches: Mismatches;
  readonly keeper: StatusKeeper;
  /** When an executor must be looked at although nothing has changed; by key. */
  readonly timers: KeyTimers;
  /** Executors that another look has asked for; by key. */
  readonly asked: Observable<string>;
  /** Speaks when the CRDs of the executors may have got fields that they lacked. */
  readonly schemaChanges: Observable<unknown>;
  /** Whether this process leads. */
  readonly leadership: Observable<LeaderState>;
  readonly resyncMs: number;
  /** How many executors are looked at and written at once. */
  readonly concurrency: number;
  readonly queue: WorkQueue;
  /** A clock that never jumps, in milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
}

/**
 * The aggregator: watches → world → keys of executors → looks, and a write where one is due. Emits each finished look, an error
 * included; an error never ends it. Runs until it is unsubscribed.
 */
export function runAggregator(chain: AggregatorChain): Observable<Reconciled> {
  const { keeper, timers, asked, concurrency, queue, now } = chain;
  const news = merge(executorKeys(chain), reportKeys(chain), podKeys(chain));
  return merge(
    news.pipe(filter((key) => !keeper.isAboutToLook(key))),
    electedKeys(chain),
    safetyNet(chain),
    schemaKeys(chain),
    timers.due,
    asked,
  ).pipe(reconcileEach((key) => keeper.reconcile(key), { concurrency, queue, now }));
}

function executorKeys({ executors, world }: AggregatorChain): Observable<string> {
  const kinds = EXECUTOR_KINDS.map((kind) =>
    executors[kind].pipe(
      mergeMap((event) => keysOf(event, world, changedKeys(world.executors[kind].apply(event)))),
    ),
  );
  return merge(...kinds);
}

function reportKeys({ reports, world, keeper, mismatches }: AggregatorChain): Observable<string> {
  const namespaces = [...reports].map(([namespace, events]) =>
    events.pipe(
      concatMap((event) =>
        applyEvent(world.reportsIn(namespace), event).pipe(map((changes) => ({ event, changes }))),
      ),
      mergeMap(({ event, changes }) => {
        for (const uid of goneUids(changes)) mismatches.forget(uid);
        // After a list everything is looked at anyway.
        const news = event.kind === 'synced' ? [] : changes.filter((change) => !keeper.canWait(change));
        return keysOf(event, world, news.flatMap(reportedExecutors));
      }),
    ),
  );
  return merge(...namespaces);
}

/** A pod is expected to report about every executor, so what happens to it concerns them all. */
function podKeys({ pods, world, sightings, now }: AggregatorChain): Observable<string> {
  const namespaces = [...pods].map(([namespace, events]) =>
    events.pipe(
      mergeMap((event) => {
        const changes = world.podsIn(namespace).apply(event);
        for (const uid of goneUids(changes)) sightings.forget(uid);
        for (const { after } of changes) if (after !== undefined) sightings.see(after, now());
        return keysOf(event, world, changes.some(matters) ? world.allKeys() : []);
      }),
    ),
  );
  return merge(...namespaces);
}

/** A new leader looks at everything, and writes what has changed. */
function electedKeys({ leadership, world }: AggregatorChain): Observable<string> {
  return leadership.pipe(
    filter((state) => state === 'leader'),
    mergeMap(() => world.allKeys()),
  );
}

/** Now and then everything is compared with the server, whatever events were lost. */
function safetyNet({ resyncMs, random, keeper, world }: AggregatorChain): Observable<Work> {
  return resync({ periodMs: resyncMs, random }).pipe(
    tap(() => keeper.doubtAll()),
    mergeMap(() => from(world.allKeys())),
    map((key) => ({ key, priority: 'low' }) as const),
  );
}

function schemaKeys({ schemaChanges, keeper, world }: AggregatorChain): Observable<string> {
  return schemaChanges.pipe(
    tap(() => keeper.tryAllFields()),
    mergeMap(() => world.allKeys()),
  );
}

/** The keys that `event` concerns: all of them after a complete list, since it may be the one that was waited for. */
function keysOf(event: WatchEvent<unknown>, world: World, keys: readonly string[]): Iterable<string> {
  return new Set(event.kind === 'synced' ? [...world.allKeys(), ...keys] : keys);
}

function reportedExecutors({ before, after }: Change<ExecutorPodStatus>): string[] {
  return [before, after].flatMap((report) =>
    report === undefined ? [] : executorKey(report.spec.executorRef),
  );
}

const changedKeys = (changes: readonly Change<Executor>[]) => changes.map(({ key }) => key);

/** The uids of objects that are gone or were replaced under their names. */
function goneUids(changes: readonly Change<KubeObject>[]): string[] {
  const gone = changes.filter(({ before, after }) => before?.metadata.uid !== after?.metadata.uid);
  return gone.flatMap(({ before }) => before?.metadata.uid ?? []);
}

/** Most changes of a pod change nothing that a status depends on. */
function matters({ before, after }: Change<Pod>): boolean {
  return before === undefined || after === undefined || !sameValue(timeless(before), timeless(after));
}

function timeless({ metadata: { resourceVersion: _version, ...metadata }, ...pod }: Pod): unknown {
  return { ...pod, metadata };
}

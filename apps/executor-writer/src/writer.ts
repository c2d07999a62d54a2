import { EXECUTOR_KINDS, type ExecutorKind, type ExecutorRef } from '@executor-status/api';
import {
  type KeyTimers,
  type Reconciled,
  reconcileEach,
  resync,
  type WatchEvent,
  type WorkQueue,
  whenChanged,
} from '@executor-status/controller';
import {
  connect,
  exhaustMap,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  tap,
} from 'rxjs';
import type { BuildRounds } from './build-rounds.ts';
import { changeKey } from './change-key.ts';
import { executorKey, setKey } from './executor-key.ts';
import type { ExecutorSets, WatchedExecutor } from './executor-sets.ts';
import type { OwnReports } from './own-reports.ts';
import type { WatchedFiles } from './watched-files.ts';
import { writeRetryMs } from './write-retry.ts';

/** The parts that the writer joins, and how often it looks by itself. */
export interface WriterChain {
  /** All executors of a kind, and then their changes; never fails, never ends. */
  readonly watch: (kind: ExecutorKind) => Observable<WatchEvent<WatchedExecutor>>;
  readonly sets: ExecutorSets;
  readonly rounds: BuildRounds;
  /** When executors are built although nothing is known to have changed; by executor key. */
  readonly buildTimers: KeyTimers;
  readonly files: WatchedFiles;
  readonly own: OwnReports;
  /** Brings the report about one executor, by key, to what it should be. */
  readonly report: (key: string) => Promise<void>;
  /** When a report is looked at again although nothing is known to have changed; by executor key. */
  readonly reportTimers: KeyTimers;
  readonly resyncMs: number;
  readonly filePollMs: number;
  /** How many sets have a round, and how many reports are written, at once. */
  readonly concurrency: number;
  readonly buildQueue: WorkQueue;
  readonly reportQueue: WorkQueue;
  readonly random: () => number;
  /** By what runs are measured: milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

/**
 * The writer: watch → sets → rounds of builds → reports. Emits what has been done, an error included; an error never ends
 * it. Runs until it is unsubscribed.
 */
export function runWriter(chain: WriterChain): Observable<WriterDone> {
  // One subscription to the watches, begun when both branches listen.
  return changedExecutors(chain).pipe(connect((refs) => merge(reports(chain, refs), builds(chain, refs))));
}

/** One finished run: a round of builds of the set `key`, or the work on the report about the executor `key`. */
export type WriterDone = Reconciled & { readonly work: 'build' | 'report' };

/** The executors that changed, came or went; after each complete list also those about which a report was left behind. */
function changedExecutors({ watch, sets, own }: WriterChain): Observable<ExecutorRef> {
  const kinds = EXECUTOR_KINDS.map((kind) =>
    watch(kind).pipe(
      whenChanged(changeKey),
      mergeMap((event) => {
        const changed = sets.apply(kind, event);
        const reported = event.kind === 'synced' ? own.refs().filter((ref) => ref.kind === kind) : [];
        return [...changed, ...reported];
      }),
    ),
  );
  return merge(...kinds);
}

/** Builds by set; a round begins for a change, an alarm, a changed file, or the wake of another round. */
function builds(chain: WriterChain, refs: Observable<ExecutorRef>): Observable<WriterDone> {
  const { rounds, buildTimers, files, filePollMs, concurrency, buildQueue: queue, random, now } = chain;
  const fileChanges = resync({ periodMs: filePollMs, random }).pipe(
    // A look that hangs is not followed by all those that were due meanwhile.
    exhaustMap(() => files.changed()),
    mergeMap((keys) => keys),
  );
  const asked = merge(
    buildTimers.due.pipe(tap((key) => rounds.ask(key))),
    fileChanges.pipe(tap((key) => rounds.ask(key, 'file'))),
  ).pipe(ignoreElements());
  return merge(refs.pipe(map(setKey)), rounds.wakes, asked).pipe(
    reconcileEach((set) => rounds.run(set), {
      concurrency,
      queue,
      now,
      retryAfterMs: (error, attempt) => writeRetryMs(error, attempt, random),
    }),
    map((done) => ({ ...done, work: 'build' })),
  );
}

/** Reports by executor; work for a new verdict, a gone executor, an alarm, and now and then for each one. */
function reports(chain: WriterChain, refs: Observable<ExecutorRef>): Observable<WriterDone> {
  const {
    rounds,
    sets,
    own,
    report,
    reportTimers,
    resyncMs,
    concurrency,
    reportQueue: queue,
    random,
    now,
  } = chain;
  const gone = refs.pipe(
    filter((ref) => sets.isGone(ref)),
    map(executorKey),
  );
  const safetyNet = resync({ periodMs: resyncMs, random }).pipe(
    tap(() => own.doubtAll()),
    mergeMap(() => from(own.refs())),
    map((ref) => ({ key: executorKey(ref), priority: 'low' }) as const),
  );
  return merge(rounds.verdicts, gone, reportTimers.due, safetyNet).pipe(
    reconcileEach(report, {
      concurrency,
      queue,
      now,
      retryAfterMs: (error, attempt) => writeRetryMs(error, attempt, random),
    }),
    map((done) => ({ ...done, work: 'report' })),
  );
}

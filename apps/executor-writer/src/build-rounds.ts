import { isDeepStrictEqual } from 'node:util';
import type { Executor, ExecutorRef } from '@executor-status/api';
import type { KeyTimers } from '@executor-status/controller';
import type { Clock } from '@executor-status/kube';
import type { Metrics } from '@executor-status/process';
import { from, lastValueFrom, mergeMap, type Observable, Subject, toArray } from 'rxjs';
import { type BuildTimes, type BuildTrigger, nextBuild } from './build-schedule.ts';
import { changeKey } from './change-key.ts';
import { executorKey, executorRef, setKey } from './executor-key.ts';
import type { ExecutorSets, WatchedExecutor } from './executor-sets.ts';
import { Member } from './member.ts';
import type { BuildRound, OutcomeSource } from './outcome-source.ts';
import type { Verdict } from './report-status.ts';
import type { WatchedFiles } from './watched-files.ts';

/** What builds need. */
export interface BuildParts {
  readonly sets: ExecutorSets;
  /** Reads the whole object now; `undefined` when it is not there. */
  readonly read: (ref: ExecutorRef) => Promise<Executor | undefined>;
  readonly source: OutcomeSource;
  readonly files: WatchedFiles;
  /** Alarms by executor key: when it is built although nothing is known to have changed. */
  readonly timers: KeyTimers;
  readonly times: BuildTimes;
  /** How many executors of a set are read or built side by side. */
  readonly concurrency: number;
  /** How long the set waits for a slow build before it begins its next round without it, in milliseconds. */
  readonly patienceMs: number;
  readonly clock: Clock;
  /** The wall clock: for end dates, and to compare with the times of files. */
  readonly today: () => Date;
  readonly random: () => number;
  readonly metrics: Metrics;
  /** Ends all builds. */
  readonly signal: AbortSignal;
}

/**
 * Builds executors, set by set. A round reads and builds those members that changed or were asked for, and judges the set
 * anew whenever one of them has ended; all others are neither read nor built again. Run one round of a set at a time.
 */
export class BuildRounds {
  /** The keys of executors whose verdict is new. */
  readonly verdicts: Observable<string>;
  /** The keys of sets that need another round. */
  readonly wakes: Observable<string>;
  readonly #verdicts = new Subject<string>();
  readonly #wakes = new Subject<string>();
  readonly #parts: BuildParts;
  readonly #members = new Map<string, Member>();
  readonly #asked = new Map<string, BuildTrigger>();
  readonly #building = new Set<string>();

  constructor(parts: BuildParts) {
    this.#parts = parts;
    this.verdicts = this.#verdicts.asObservable();
    this.wakes = this.#wakes.asObservable();
  }

  /** What this pod says of an executor; `undefined` before its first build has ended. */
  verdict(ref: ExecutorRef): Verdict | undefined {
    return this.#members.get(executorKey(ref))?.verdict;
  }

  /** Asks for a build of the executor in the next round of its set; by default for the reason of its alarm. */
  ask(key: string, trigger = this.#members.get(key)?.due): void {
    const member = this.#members.get(key);
    if (member === undefined || trigger === undefined) return;
    this.#asked.set(key, trigger);
    this.#wakes.next(setKey(member.ref));
  }

  /**
   * One round of the set.
   *
   * @throws what a read threw, after everything else is done. The member that could not be read is wanted again.
   */
  async run(set: string): Promise<void> {
    const { concurrency, source, signal, clock, patienceMs, today } = this.#parts;
    this.#dropGone(set);
    this.#judge(set);
    const reads = await eachOf(this.#wanted(set), concurrency, (watched) => this.#read(watched));
    const round = { sinceMs: today().getTime(), builds: source.round(signal) };
    // Only when all are read: whoever is built first is already judged beside the newest specs of the others.
    const builds = eachOf(reads.filter(isPending), concurrency, (one) => this.#build(one, round));
    const over = new AbortController();
    await Promise.race([builds, clock.sleep(patienceMs, over.signal)]);
    over.abort();
    for (const read of reads) if (read instanceof Error) throw read;
  }

  #dropGone(set: string): void {
    for (const [key, { ref }] of this.#members) {
      if (setKey(ref) !== set || !this.#parts.sets.isGone(ref)) continue;
      this.#members.delete(key);
      this.#asked.delete(key);
      this.#parts.timers.clear(key);
      this.#parts.files.forget(key);
      this.#parts.metrics.forget('executor_build_ok', labelsOf(ref));
    }
  }

  #wanted(set: string): readonly WatchedExecutor[] {
    return this.#parts.sets.members(set).filter((watched) => this.#trigger(watched) !== undefined);
  }

  /** Why an executor is to be built now; `undefined` if it is not. One that is being deleted never is. */
  #trigger(watched: WatchedExecutor): BuildTrigger | undefined {
    const key = executorKey(watched.metadata);
    if (watched.metadata.deletionTimestamp !== undefined || this.#building.has(key)) return undefined;
    const member = this.#members.get(key);
    const built = member?.outcome !== undefined && member.changeKey === changeKey(watched);
    return built ? this.#asked.get(key) : 'change';
  }

  async #read(watched: WatchedExecutor): Promise<Pending | Error | undefined> {
    const { sets, read } = this.#parts;
    const ref = executorRef(watched.metadata);
    const key = executorKey(ref);
    const trigger = this.#trigger(watched);
    const executor = await read(ref).catch(toError);
    if (executor === undefined || executor instanceof Error) return executor;
    sets.remember(executor);
    if (executor.metadata.deletionTimestamp !== undefined || trigger === undefined) return undefined;
    const member = this.#members.get(key) ?? new Member(executor);
    member.update(executor);
    this.#members.set(key, member);
    this.#asked.delete(key);
    this.#building.add(key);
    return { key, member, trigger };
  }

  async #build({ key, member, trigger }: Pending, round: Round): Promise<void> {
    const { files, clock, timers, times, random, metrics, signal, sets, today } = this.#parts;
    const since = clock.now();
    const outcome = await round.builds.build(member.executor);
    // Since the round began: what its first build read is shared by the others.
    await files.follow(key, outcome.files, round.sinceMs);
    this.#building.delete(key);
    if (signal.aborted || this.#members.get(key) !== member) return;
    const failing = member.ended(outcome, clock.now());
    const next = nextBuild({ outcome, ...failing, now: today() }, times, random);
    member.due = next.trigger;
    timers.set(key, next.inMs);
    metrics.count('executor_builds_total', { trigger, result: outcome.succeeded ? 'succeeded' : 'failed' });
    metrics.observe('executor_build_seconds', {}, (clock.now() - since) / 1000);
    this.#judge(setKey(member.ref));
    const watched = sets.get(member.ref);
    if (watched !== undefined && this.#trigger(watched) !== undefined) this.#wakes.next(setKey(member.ref));
  }

  /** Looks at the set as a whole, and tells whose verdict is another now. A member that is not built yet has none. */
  #judge(set: string): void {
    const members = [...this.#members.values()].filter(({ ref }) => setKey(ref) === set);
    const outcomes = this.#parts.source.judge(members);
    for (const [at, member] of members.entries()) {
      const { uid = '', generation = 0 } = member.executor.metadata;
      const outcome = outcomes[at];
      if (member.outcome === undefined || outcome === undefined) continue;
      if (isDeepStrictEqual(member.verdict, { uid, generation, outcome })) continue;
      member.verdict = { uid, generation, outcome };
      this.#parts.metrics.gauge('executor_build_ok', labelsOf(member.ref), outcome.succeeded ? 1 : 0);
      this.#verdicts.next(executorKey(member.ref));
    }
  }
}

interface Pending {
  readonly key: string;
  readonly member: Member;
  readonly trigger: BuildTrigger;
}

interface Round {
  /** When it began, in milliseconds since 1970. */
  readonly sinceMs: number;
  readonly builds: BuildRound;
}

function eachOf<T, R>(list: readonly T[], concurrency: number, run: (one: T) => Promise<R>): Promise<R[]> {
  return lastValueFrom(from(list).pipe(mergeMap(run, concurrency), toArray()));
}

const isPending = (read: Pending | Error | undefined): read is Pending =>
  read !== undefined && !(read instanceof Error);

const toError = (error: unknown) =>
  error instanceof Error ? error : new Error('read failed', { cause: error });

const labelsOf = ({ kind, namespace = '', name }: ExecutorRef) => ({ kind, namespace, name });

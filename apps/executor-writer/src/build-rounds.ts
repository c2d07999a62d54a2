import type { ExecutorRef } from '@executor-status/api';
import type { Outcome } from '@executor-status/executor';
import { type Observable, Subject } from 'rxjs';
import type { BuildParts } from './build-parts.ts';
import { type BuildTrigger, nextBuild } from './build-schedule.ts';
import { changeKey } from './change-key.ts';
import { eachOf } from './each-of.ts';
import { executorKey, executorRef, refOfKey, setKey } from './executor-key.ts';
import type { WatchedExecutor } from './executor-sets.ts';
import type { Member } from './member.ts';
import { Members } from './members.ts';
import type { BuildRound } from './outcome-source.ts';
import type { Verdict } from './report-status.ts';
import { RunningBuilds } from './running-builds.ts';

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
  readonly #members: Members;
  readonly #asked = new Map<string, BuildTrigger>();
  readonly #building = new RunningBuilds();

  constructor(parts: BuildParts) {
    this.#parts = parts;
    this.#members = new Members(parts.source);
    this.verdicts = this.#verdicts.asObservable();
    this.wakes = this.#wakes.asObservable();
  }

  /** What this pod says of an executor; `undefined` before its first build has ended. */
  verdict(ref: ExecutorRef): Verdict | undefined {
    return this.#members.get(ref)?.verdict;
  }

  /** Asks for a build of the executor in the next round of its set; by default for the reason of its alarm. */
  ask(key: string, trigger?: BuildTrigger): void {
    const member = this.#members.get(refOfKey(key));
    if (member === undefined) return;
    this.#asked.set(key, trigger ?? member.due);
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
    this.#building.callOffStale(set, this.#parts.sets);
    this.#judge(set);
    const reads = await eachOf(this.#wanted(set), concurrency, (watched) => this.#read(watched));
    const pending = reads.filter(isPending);
    const round: Round = {
      sinceMs: today().getTime(),
      builds: source.round(signal),
      over: new AbortController(),
      begun: 0,
    };
    // Only when all are read: whoever is built first is already judged beside the newest specs of the others.
    const builds = eachOf(pending, concurrency, (one) => this.#build(one, round));
    await Promise.race([builds, clock.sleep(patienceMs, round.over.signal)]);
    round.over.abort();
    if (round.begun < pending.length) this.#wakes.next(set);
    for (const read of reads) if (read instanceof Error) throw read;
  }

  #dropGone(set: string): void {
    const { sets, timers, files, metrics } = this.#parts;
    for (const member of this.#members.of(set)) {
      if (!sets.isGone(member.ref)) continue;
      const key = executorKey(member.ref);
      this.#members.remove(member);
      this.#asked.delete(key);
      timers.clear(key);
      files.forget(key);
      metrics.forget('executor_build_ok', labelsOf(member.ref));
    }
  }

  #wanted(set: string): readonly WatchedExecutor[] {
    return this.#parts.sets.members(set).filter((watched) => this.#trigger(watched) !== undefined);
  }

  /** Why an executor is to be built now; `undefined` if it is not. One that is being deleted never is. */
  #trigger(watched: WatchedExecutor): BuildTrigger | undefined {
    const key = executorKey(watched.metadata);
    if (watched.metadata.deletionTimestamp !== undefined || this.#building.has(key)) return undefined;
    const member = this.#members.get(watched.metadata);
    const built = member?.outcome !== undefined && member.changeKey === changeKey(watched);
    return built ? this.#asked.get(key) : 'change';
  }

  /** The member to build; read only when it has changed, so that files and vaults are looked at without an API server too. */
  async #read(watched: WatchedExecutor): Promise<Pending | Error | undefined> {
    const { sets, read } = this.#parts;
    const ref = executorRef(watched.metadata);
    const key = executorKey(ref);
    const trigger = this.#trigger(watched);
    const known = this.#members.get(ref);
    if (trigger === undefined) return undefined;
    if (trigger !== 'change' && known !== undefined) return { key, member: known, trigger };
    const executor = await read(ref).catch(toError);
    if (executor === undefined || executor instanceof Error) return executor;
    sets.remember(executor);
    if (executor.metadata.deletionTimestamp !== undefined) return undefined;
    return { key, member: this.#members.update(executor), trigger };
  }

  async #build({ key, member, trigger }: Pending, round: Round): Promise<void> {
    const { files, clock, metrics, signal } = this.#parts;
    // Its turn comes in a later round.
    if (round.over.signal.aborted) return;
    round.begun += 1;
    this.#asked.delete(key);
    const since = clock.now();
    const isGone = () => this.#members.get(member.ref) !== member;
    const outcome = await this.#building.run(member, async (executor, ending) => {
      const built = await round.builds.build(executor, ending);
      // Since the round began: what its first build read is shared by the others.
      if (!isGone()) await files.follow(key, built.files, round.sinceMs);
      return built;
    });
    // It may have gone while its files were looked at.
    if (isGone()) files.forget(key);
    if (signal.aborted) return;
    if (outcome === undefined || isGone()) return this.#wakeIfWanted(member.ref);
    metrics.count('executor_builds_total', { trigger, result: outcome.succeeded ? 'succeeded' : 'failed' });
    metrics.observe('executor_build_seconds', {}, (clock.now() - since) / 1000);
    this.#ended(key, member, outcome);
  }

  #ended(key: string, member: Member, outcome: Outcome): void {
    const { clock, timers, times, random, today } = this.#parts;
    const failing = member.ended(outcome, clock.now());
    const next = nextBuild({ outcome, ...failing, now: today() }, times, random);
    member.due = next.trigger;
    timers.set(key, next.inMs);
    this.#judge(setKey(member.ref));
    this.#wakeIfWanted(member.ref);
  }

  /** It was edited, or made anew, while it was being built. */
  #wakeIfWanted(ref: ExecutorRef): void {
    const watched = this.#parts.sets.get(ref);
    if (watched !== undefined && this.#trigger(watched) !== undefined) this.#wakes.next(setKey(ref));
  }

  #judge(set: string): void {
    for (const { ref, verdict } of this.#members.judge(set)) {
      this.#parts.metrics.gauge('executor_build_ok', labelsOf(ref), verdict?.outcome.succeeded ? 1 : 0);
      this.#verdicts.next(executorKey(ref));
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
  /** Aborted when the set has waited long enough: nothing more is begun in it. */
  readonly over: AbortController;
  /** How many builds have begun in it. */
  begun: number;
}

const isPending = (read: Pending | Error | undefined): read is Pending =>
  read !== undefined && !(read instanceof Error);

const toError = (error: unknown) =>
  error instanceof Error ? error : new Error('read failed', { cause: error });

const labelsOf = ({ kind, namespace = '', name }: ExecutorRef) => ({ kind, namespace, name });

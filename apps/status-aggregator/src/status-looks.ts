import type { Executor } from '@executor-status/api';
import type { Account } from './account.ts';
import { type Announcing, announceWrite } from './announce-write.ts';
import type { Blocking } from './blocking.ts';
import type { Mismatches } from './mismatches.ts';
import { type Plan, planStatus, rememberWrite } from './plan-status.ts';
import { NO_REST, restAfterAnswer, restLeftMs } from './rest-after.ts';
import type { RetryTimes } from './retry-settings.ts';
import { sameStatus } from './same-status.ts';
import type { Sightings } from './sightings.ts';
import { holdsLimit } from './size-limit.ts';
import type { StatusSettings } from './status-settings.ts';
import type { World } from './world.ts';
import type { StatusWriter } from './write-status.ts';

/** What looking needs. */
export interface LookParts extends Announcing {
  readonly world: World;
  readonly sightings: Sightings;
  readonly blocking: Blocking;
  readonly mismatches: Mismatches;
  readonly writer: StatusWriter;
  readonly isLeader: () => boolean;
  readonly fieldManager: string;
  readonly settings: StatusSettings;
  readonly retryTimes: RetryTimes;
  /** A clock that never jumps, in milliseconds. */
  readonly now: () => number;
  /** The wall clock. */
  readonly today: () => Date;
}

/** An executor as it was seen, and what to do about it. */
export interface Look {
  /** Undefined when it is gone. */
  readonly executor: Executor | undefined;
  readonly plan: Plan;
}

/** Looks at executors: gathers what is known, and plans. */
export class StatusLooks {
  readonly #parts: LookParts;

  constructor(parts: LookParts) {
    this.#parts = parts;
  }

  /**
   * Looks at what is known of `key`; asks the server where that is in doubt, or older than what a pod reports about, but not while it
   * rests after a failure.
   */
  async look(key: string, account: Account): Promise<Look> {
    const { world, writer, isLeader, now } = this.#parts;
    const known = world.executor(key);
    if (known === undefined) return { executor: known, plan: this.plan(key, account, { known }) };
    const resting = restLeftMs(account.rest, now()) > 0;
    // Only what is written has to be right: a follower can wait for its watch.
    if (!account.doubted || !isLeader() || resting) {
      const plan = this.plan(key, account, { known });
      const isOutdated = plan.kind === 'skip' && plan.why === 'executor-outdated';
      if (!isOutdated || resting) return { executor: known, plan };
    }
    const live = await writer.read(known);
    account.doubted = false;
    account.rest = restAfterAnswer(account.rest);
    return { executor: live, plan: this.plan(key, account, { live }) };
  }

  /** Plans for the executor as it is `known` from the watch, or as it was just read `live`. */
  plan(key: string, account: Account, seen: Seen): Plan {
    const { world, sightings, blocking, mismatches, writer, settings, now, today } = this.#parts;
    const startedMs = now();
    const live = 'live' in seen;
    const executor = live ? seen.live : seen.known;
    if (live && executor !== undefined) world.remember(executor);
    this.#recognize(key, account, executor);
    const { reports, contradictory } = world.reportsOf(key);
    for (const report of contradictory) mismatches.note(report);
    const blockedBy = blocking.blockerOf(key);
    const plan = planStatus({
      ...this.#parts,
      settings: { ...settings, maxStatusBytes: this.#maxBytes(account, executor) },
      executor,
      live,
      reports,
      pods: world.allPods().map((pod) => sightings.of(pod, now())),
      dropped: executor === undefined ? [] : writer.dropped(executor.kind),
      nowMs: now(),
      now: today(),
      ...(blockedBy !== undefined && { blockedBy }),
      ...(account.memory && { memory: account.memory }),
    });
    if ('memory' in plan) account.memory = plan.memory;
    account.plannedInMs = now() - startedMs;
    return plan;
  }

  /** Takes a write whose answer was lost for stored when it is found so: nobody else has written it. */
  #recognize(key: string, account: Account, executor: Executor | undefined): void {
    const { unanswered, memory } = account;
    if (executor === undefined || memory?.uid !== executor.metadata.uid) return;
    const stored = unanswered.find(({ plan }) => sameStatus(executor.status, plan.named));
    if (stored === undefined) return;
    const { plan } = stored;
    account.memory = rememberWrite(plan, executor, memory);
    account.rest = NO_REST;
    account.unanswered = [];
    const before = plan.memory.written?.wanted ?? stored.before;
    announceWrite(this.#parts, { key, plan, answer: executor, before, leftOut: [] });
  }

  #maxBytes({ sizeLimit }: Account, executor: Executor | undefined): number {
    const { settings, retryTimes, now } = this.#parts;
    const at = { generation: executor?.metadata.generation ?? 0, nowMs: now() };
    const limited = sizeLimit !== undefined && holdsLimit(sizeLimit, at, retryTimes.sizeRetryMs);
    return limited ? Math.min(settings.maxStatusBytes, sizeLimit.bytes) : settings.maxStatusBytes;
  }
}

type Seen = { readonly known: Executor | undefined } | { readonly live: Executor | undefined };

import type { Executor, ExecutorStatus } from '@executor-status/api';
import { dateConditions } from './date-conditions.ts';
import type { ExecutorMemory } from './executor-memory.ts';
import { fitSize } from './fit-size.ts';
import { type Facts, gatherFacts } from './gather-facts.ts';
import { errorGroups, groupWarnings, shownWarnings } from './group-pods.ts';
import { isOverdue, isWaited, type JudgedPod } from './judge-pods.ts';
import { listEntries } from './list-entries.ts';
import { type Draft, planConditions } from './plan-conditions.ts';
import { planReady, type ReadyPlan } from './plan-ready.ts';
import { planStatement, type Stated } from './plan-statement.ts';
import type { View } from './view.ts';

/** A whole status, made anew from the current entries; never an edit of the stored one. */
export interface Composed {
  /** Undefined while a success is held back by a failure whose words are not known here. */
  readonly status: ExecutorStatus | undefined;
  readonly facts: Facts;
  readonly memory: ExecutorMemory;
  /** Milliseconds until time alone changes something. */
  readonly wakeInMs?: number;
}

/** What the status of `executor` should be now. */
export function composeStatus(view: View, executor: Executor): Composed {
  const facts = gatherFacts(view, executor);
  const storesGeneration = !view.dropped.some((path) => path.join() === 'observedGeneration');
  const stated = planStatement({ ...view, ...facts, executor, storesGeneration });
  const { settled, awaited } = stated;
  const context = { ...view, ...facts, settled, awaited, blockedBy: view.blockedBy, ...said(facts) };
  const planned = planReady(context);
  const memory = nextMemory(facts, stated, planned);
  const wakeInMs = nextDeadline({ ...facts, memory }, view);
  const rest = { facts, memory, ...(wakeInMs !== undefined && { wakeInMs }) };
  if (planned.kind === 'hold') return { status: undefined, ...rest };

  const contender = facts.rewrites.contended ? (memory.rewriter ?? 'another manager') : undefined;
  const { generation } = memory;
  const expiring = facts.expiring.expiry;
  const drafts = planConditions({ ...context, generation, ready: planned.ready, expiring, contender });
  return { status: assemble({ view, executor, facts, stated, drafts }), ...rest };
}

interface Parts {
  readonly view: View;
  readonly executor: Executor;
  readonly facts: Facts;
  readonly stated: Stated;
  readonly drafts: readonly Draft[];
}

function assemble({ view, executor, facts, stated, drafts }: Parts): ExecutorStatus {
  const { pods, counts, failing, holders, memory } = facts;
  const full = view.settings.detail === 'full';
  const listed = listEntries(pods, view.settings);
  const shown = memory.written?.answer.status ?? executor.status;
  const { generation, ...verdict } = stated.statement;
  const warnings = full ? groupWarnings(pods) : [];
  const warningGroups = shownWarnings(warnings);
  const dating = { generation: memory.generation, shown, stored: executor.status, holders, now: view.now };
  const whole = {
    ...verdict,
    observedGeneration: generation,
    conditions: dateConditions(drafts, dating),
    // Without healthy detail the figures stay away too: they would move with every healthy pod.
    ...(full && { podCounts: counts }),
    builds: full ? `${counts.succeeded}/${counts.expected}` : '',
    warningGroups,
  };
  const lists = { byPod: listed.entries, errorGroups: errorGroups(failing), healthy: listed.healthy };
  const grouped = failing.length + warnings.length;
  return fitSize(lists, view.settings.maxStatusBytes, ({ byPod, errorGroups: groups }) => {
    const omitted = listed.omitted + listed.entries.length - byPod.length;
    const cut = byPod.some((entry, at) => entry.error !== listed.entries[at]?.error);
    return {
      ...whole,
      byPod,
      errorGroups: groups,
      omitted,
      truncated: omitted > 0 || cut || groups.length + warningGroups.length < grouped,
    };
  });
}

/** The root cause that messages name. */
const said = ({ failing }: Facts) => ({ briefError: failing[0]?.briefError ?? '' });

function nextMemory({ memory }: Facts, stated: Stated, ready: ReadyPlan): ExecutorMemory {
  const { failing: _failing, unready: _unready, statement: _statement, ...kept } = memory;
  return {
    ...kept,
    awaited: stated.awaited,
    settledGeneration: stated.settled ? memory.generation : memory.settledGeneration,
    ...(stated.standing && { statement: stated.standing }),
    ...(stated.failing && { failing: stated.failing }),
    ...(ready.unready && { unready: ready.unready }),
  };
}

function nextDeadline(
  { pods, expiring, rewrites, memory }: Facts,
  { settings, nowMs }: View,
): number | undefined {
  const holds = [memory.failing, memory.unready].flatMap((held) => held?.overSinceMs ?? []);
  const deadlines = [
    ...holds.map((overSinceMs) => overSinceMs + settings.successHoldMs - nowMs),
    ...[expiring.changesInMs, rewrites.calmInMs].filter((inMs) => inMs !== undefined),
  ];
  const soonest = pods.reduce(
    (least, pod) => Math.min(least, deadlineOf(pod)),
    Math.min(...deadlines, Number.POSITIVE_INFINITY),
  );
  return Number.isFinite(soonest) ? soonest : undefined;
}

/** Milliseconds until the pod is overdue, or becomes stale. */
function deadlineOf(pod: JudgedPod): number {
  const { graceLeftMs, staleInMs = Number.POSITIVE_INFINITY } = pod;
  return isWaited(pod) && !isOverdue(pod) ? Math.min(graceLeftMs, staleInMs) : staleInMs;
}

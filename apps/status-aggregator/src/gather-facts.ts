import type { Executor, PodCounts } from '@executor-status/api';
import { countPods } from './count-pods.ts';
import { type ExecutorMemory, recall } from './executor-memory.ts';
import { type Expiring, findExpiring } from './expiring.ts';
import { type FieldHolders, fieldHolders } from './field-holders.ts';
import { type FailingPods, groupFailing } from './group-pods.ts';
import { isWaited, type JudgedPod, judgePods } from './judge-pods.ts';
import { laggingPods } from './ratify-lag.ts';
import { type Rewrites, trackRewrites } from './track-rewrites.ts';
import type { View } from './view.ts';

/** What can be said of an executor before anything is decided. */
export interface Facts {
  readonly pods: readonly JudgedPod[];
  readonly counts: PodCounts;
  readonly failing: readonly FailingPods[];
  readonly lagging: readonly string[];
  readonly expiring: Expiring;
  readonly holders: FieldHolders;
  readonly rewrites: Rewrites;
  /** What was remembered, brought up to this look. */
  readonly memory: ExecutorMemory;
}

/** Looks at everything in `view` that concerns `executor`. */
export function gatherFacts(view: View, executor: Executor): Facts {
  const { settings, nowMs, now, dropped } = view;
  const { memory, firstLook } = recall(executor, view.memory, nowMs);
  const judged = (known: ExecutorMemory) => judgePods({ ...view, executor, memory: known });
  const start = firstLook ? { ...memory, ...foundStored(executor, judged(memory)) } : memory;
  const pods = judged(start);
  const failing = groupFailing(pods);
  const rewrites = trackRewrites(executor, start, { contentionMs: settings.contentionMs, dropped, nowMs });
  const holders = fieldHolders(executor, view.fieldManager);
  const { rewrittenMs: _before, ...kept } = start;
  return {
    pods,
    counts: countPods(pods),
    failing,
    lagging: settings.showRatifyLag ? laggingPods(pods) : [],
    expiring: findExpiring(pods, settings.expiryNoticeMs, now),
    holders,
    rewrites,
    memory: {
      ...kept,
      pastGrace: stillWaited(start.pastGrace, pods),
      ...(firstLook && { shownGroups: storedGroups(executor, failing) }),
      rewrites: rewrites.rewrites,
      ...(rewrites.rewrittenMs !== undefined && { rewrittenMs: rewrites.rewrittenMs, ...rewriter(holders) }),
    },
  };
}

/**
 * What a process takes over from the status that it finds: pods whose grace was over stay so until they report, and neither a
 * Ready that was False nor a failed verdict turns at once.
 */
function foundStored(executor: Executor, pods: readonly JudgedPod[]): Partial<ExecutorMemory> {
  const { generation } = executor.metadata;
  const stored = (type: string) => executor.status?.conditions?.find((condition) => condition.type === type);
  const [ready, missing] = [stored('Ready'), stored('PodsMissing')];
  const unready = ready?.status === 'False' && ready.observedGeneration === generation;
  // Until an edit is settled, the pods that it has left behind are within their grace, whichever others are missing.
  const isSettled = executor.status?.observedGeneration === generation;
  const isDue = (pod: JudgedPod) => (isSettled ? isWaited(pod) : pod.standing === 'missing');
  return {
    ...(missing?.status === 'True' && { pastGrace: new Set(pods.filter(isDue).map(uidOf)) }),
    ...(unready && { unready: { content: undefined } }),
    ...(isSettled && !executor.status?.succeeded && { failing: { content: undefined } }),
  };
}

function stillWaited(pastGrace: ReadonlySet<string>, pods: readonly JudgedPod[]): ReadonlySet<string> {
  if (pastGrace.size === 0) return pastGrace;
  const waited = pods.filter(isWaited).map(uidOf);
  return new Set(waited.filter((uid) => pastGrace.has(uid)));
}

/** The groups that are shown already: they are no news. */
function storedGroups(executor: Executor, failing: readonly FailingPods[]): ReadonlySet<string> {
  const stored = new Set(
    (executor.status?.errorGroups ?? []).map(({ reason, message }) => `${reason} ${message}`),
  );
  const shown = failing.filter(({ group }) => stored.has(`${group.reason} ${group.message}`));
  return new Set(shown.map(({ key }) => key));
}

const rewriter = ({ latest }: FieldHolders) => latest !== undefined && { rewriter: latest };

const uidOf = ({ pod }: Pick<JudgedPod, 'pod'>) => pod.metadata.uid;

import type { ConditionReason, PodCounts } from '@executor-status/api';
import type { ExecutorMemory, Unready } from './executor-memory.ts';
import { isOverdue, type JudgedPod } from './judge-pods.ts';
import { whileHeld } from './plan-statement.ts';
import { NO_PODS, names, noReportText, podsText } from './sentences.ts';
import type { StatusSettings } from './status-settings.ts';

/** What Ready depends on. */
export interface Readying {
  readonly pods: readonly JudgedPod[];
  readonly counts: PodCounts;
  readonly settled: boolean;
  /** Pods that must still build before a success can be claimed. */
  readonly awaited: ReadonlySet<string>;
  /** The name of another executor of the set that blocks it. */
  readonly blockedBy: string | undefined;
  /** The ids of pods that Ratify is known not to have followed in. */
  readonly lagging: readonly string[];
  /** The root cause of the most frequent failure. */
  readonly briefError: string;
  readonly memory: ExecutorMemory;
  readonly settings: StatusSettings;
  readonly nowMs: number;
}

/** The Ready condition without its times. */
export type Ready =
  | Unready
  | { readonly status: 'True'; readonly reason: ConditionReason<'Ready'>; readonly message: string };

export type ReadyPlan =
  | { readonly kind: 'ready'; readonly ready: Ready; readonly unready?: ExecutorMemory['unready'] }
  /** It was False when this process first looked, and must stay so for a while; what it said is not ours to repeat. */
  | { readonly kind: 'hold'; readonly unready: NonNullable<ExecutorMemory['unready']> };

/** Ready by the order of precedence of design 5.2. After a False it turns True only after a time without failure. */
export function planReady(readying: Readying): ReadyPlan {
  const ready =
    RULES.map((rule) => rule(readying)).find((found) => found !== undefined) ?? buildsInAllPods(readying);
  if (ready.status === 'False') return { kind: 'ready', ready, unready: { content: ready } };
  const held = whileHeld(readying.memory.unready, readying.nowMs, readying.settings.successHoldMs);
  if (held === undefined) return { kind: 'ready', ready };
  if (ready.status === 'Unknown') return { kind: 'ready', ready, unready: { ...held, content: ready } };
  return held.content === undefined
    ? { kind: 'hold', unready: held }
    : { kind: 'ready', ready: heldBack(held.content, readying), unready: held };
}

/** A failure goes on as it was; after an Unknown it is not brought back, since it is over. */
function heldBack(shown: Unready, readying: Readying): Unready {
  return shown.status === 'False' ? shown : unknown('Building', buildingMessage(readying));
}

type Rule = (readying: Readying) => Unready | undefined;

/** First match wins; what none of them matches is True. */
const RULES: readonly Rule[] = [
  ({ counts }) => (counts.expected === 0 ? unknown('NoPods', NO_PODS) : undefined),
  ({ counts, briefError }) =>
    counts.failed > 0
      ? no('PodsFailed', `cannot be built in ${counts.failed} of ${podsText(counts.expected)}: ${briefError}`)
      : undefined,
  ({ pods }) => {
    const overdue = pods.filter(isOverdue);
    return overdue.length > 0 ? no('PodsNotReporting', noReportText(overdue.map(({ id }) => id))) : undefined;
  },
  (readying) => (isBuilding(readying) ? unknown('Building', buildingMessage(readying)) : undefined),
  ({ blockedBy }) => (blockedBy === undefined ? undefined : no('BlockedBySibling', blockedText(blockedBy))),
  ({ pods, counts }) => {
    const blind = pods.filter(({ standing }) => standing === 'unobserved').map(({ id }) => id);
    const text = `no executor-writer sidecar in ${names(blind)}: restart these pods`;
    return counts.unobserved > 0 ? unknown('PodsUnobserved', text) : undefined;
  },
  ({ pods }) => {
    const stale = pods.filter((pod) => pod.stale !== undefined).map(({ id }) => id);
    return stale.length > 0
      ? unknown('PodsStale', `what is known may be out of date in ${names(stale)}`)
      : undefined;
  },
  ({ lagging }) => (lagging.length > 0 ? unknown('RatifyMayBeStale', lagText(lagging)) : undefined),
];

/** Says who blocks; also the message of the condition BlockedBySibling. */
export function blockedText(blockedBy: string): string {
  return `executor ${blockedBy} fails and blocks its set: changes do not take effect, and pods started since then verify nothing`;
}

/** Says where Ratify lags and what to do; also the message of the condition RatifyMayBeStale. */
export function lagText(lagging: readonly string[]): string {
  return `it builds again, but Ratify did not retry in ${names(lagging)}: delete these pods, or edit the spec`;
}

/** Also while a pod that has reported has not yet done so about this generation: True speaks for all that have. */
const isBuilding = ({ settled, counts, awaited }: Readying) =>
  !settled ||
  (counts.upToDate === 0 && counts.missing + counts.behind > 0) ||
  counts.behind > 0 ||
  awaited.size > 0;

function buildingMessage({ counts, memory, settings }: Readying): string {
  const text = `building generation ${memory.generation}`;
  return settings.detail === 'failing'
    ? text
    : `${text}: done in ${counts.upToDate} of ${podsText(counts.expected)}`;
}

function buildsInAllPods({ counts, settings }: Readying): Ready {
  const message =
    settings.detail === 'failing'
      ? 'builds in every pod that has reported'
      : `builds in every pod that has reported: ${counts.succeeded} of ${podsText(counts.expected)}`;
  return { status: 'True', reason: 'BuildsInAllPods', message };
}

const no = (reason: Unready['reason'], message: string): Unready => ({ status: 'False', reason, message });
const unknown = (reason: Unready['reason'], message: string): Unready => ({
  status: 'Unknown',
  reason,
  message,
});

import type { ConditionReason, ConditionType, PodCounts } from '@executor-status/api';
import { type Expiry, expiringText } from './expiring.ts';
import { hasFailed, isOverdue, isWaited, type JudgedPod } from './judge-pods.ts';
import { divergedText } from './material.ts';
import { blockedText, lagText, type Ready } from './plan-ready.ts';
import { names, noReportText } from './sentences.ts';
import type { StatusSettings } from './status-settings.ts';

/** A condition without its times. */
export interface Draft {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** What the conditions depend on. */
export interface Conditioning {
  readonly ready: Ready;
  readonly pods: readonly JudgedPod[];
  readonly counts: PodCounts;
  readonly settled: boolean;
  readonly generation: number;
  readonly blockedBy: string | undefined;
  readonly lagging: readonly string[];
  readonly briefError: string;
  /** The certificate or key that ends first, if that is soon or past. */
  readonly expiring: Expiry | undefined;
  /** Another manager that rewrites our fields again and again. */
  readonly contender: string | undefined;
  readonly settings: StatusSettings;
}

/** Every condition that holds, Ready first and then in the order of the documentation. The others are absent, as kstatus expects. */
export function planConditions(conditioning: Conditioning): Draft[] {
  const stalled = stalledBy(conditioning);
  const drafts = [
    { type: 'Ready' as const, ...conditioning.ready },
    // A tool that asks for both would see progress where nobody can make any.
    stalled === undefined ? reconciling(conditioning) : undefined,
    stalled,
    blocked(conditioning),
    missing(conditioning),
    stale(conditioning),
    lag(conditioning),
    diverged(conditioning),
    expiring(conditioning),
    contended(conditioning),
  ];
  return drafts.filter((draft) => draft !== undefined);
}

function reconciling({ settled, generation, pods, settings }: Conditioning): Draft | undefined {
  if (!settled) return holds('Reconciling', 'Building', `generation ${generation} is not settled yet`);
  if (settings.detail === 'failing') return undefined;
  const due = pods.filter((pod) => isWaited(pod) && !isOverdue(pod)).map(({ id }) => id);
  return due.length > 0 ? holds('Reconciling', 'RollingOut', `waiting for ${names(due)}`) : undefined;
}

/** A fault of the spec itself, seen by every pod that reports: decided without a look at which pods they are. */
function stalledBy({ pods, counts, briefError }: Conditioning): Draft | undefined {
  const invalid = pods.filter((pod) => hasFailed(pod) && pod.report?.reason === 'ConfigInvalid').length;
  return invalid > 0 && invalid === counts.reporting
    ? holds('Stalled', 'ConfigInvalid', `the spec must be edited: ${briefError}`)
    : undefined;
}

function blocked({ blockedBy }: Conditioning): Draft | undefined {
  return blockedBy === undefined
    ? undefined
    : holds('BlockedBySibling', 'SiblingFailed', blockedText(blockedBy));
}

function missing({ pods }: Conditioning): Draft | undefined {
  const overdue = pods.filter(isOverdue).map(({ id }) => id);
  if (overdue.length === 0) return undefined;
  return holds(
    'PodsMissing',
    'WriterNotReporting',
    `${noReportText(overdue)}: see the log of executor-writer there`,
  );
}

function stale({ pods }: Conditioning): Draft | undefined {
  const lost = pods.filter((pod) => pod.stale === 'PodLost').map(({ id }) => id);
  const down = pods.filter((pod) => pod.stale === 'WriterNotRunning').map(({ id }) => id);
  if (lost.length + down.length === 0) return undefined;
  const texts = [
    ...(lost.length > 0 ? [`lost with their node: ${names(lost)}`] : []),
    ...(down.length > 0 ? [`executor-writer does not run in ${names(down)}`] : []),
  ];
  return holds('PodsStale', lost.length > 0 ? 'PodLost' : 'WriterNotRunning', texts.join('; '));
}

function lag({ lagging }: Conditioning): Draft | undefined {
  return lagging.length > 0
    ? holds('RatifyMayBeStale', 'NotRebuiltSinceRecovery', lagText(lagging))
    : undefined;
}

function diverged({ settled, pods }: Conditioning): Draft | undefined {
  const text = settled ? divergedText(pods) : undefined;
  return text === undefined ? undefined : holds('MaterialDiverged', 'DigestsDiffer', text);
}

function expiring({ expiring: expiry }: Conditioning): Draft | undefined {
  if (expiry === undefined) return undefined;
  return holds('CredentialsExpiring', expiry.past ? 'Expired' : 'ExpiresSoon', expiringText(expiry));
}

function contended({ contender }: Conditioning): Draft | undefined {
  const text = `${contender} rewrites our fields again and again: let only one of us write this status`;
  return contender === undefined ? undefined : holds('StatusContended', 'ForeignWriter', text);
}

function holds<T extends ConditionType>(type: T, reason: ConditionReason<T>, message: string): Draft {
  return { type, status: 'True', reason, message };
}

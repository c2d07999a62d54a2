import {
  boundText,
  type Condition,
  type ExecutorStatus,
  isOwnCondition,
  NOT_APPLICABLE,
} from '@executor-status/api';
import type { FieldHolders } from './field-holders.ts';
import type { Draft } from './plan-conditions.ts';

const MAX_MESSAGE_BYTES = 1024;

/** What dates conditions. */
export interface Dating {
  readonly generation: number;
  /** The status that was last written or read: where the times come from. */
  readonly shown: ExecutorStatus | undefined;
  /** The status that is stored now: where conditions of ours may stand that no longer hold. */
  readonly stored: ExecutorStatus | undefined;
  readonly holders: FieldHolders;
  readonly now: Date;
}

/**
 * The conditions to send: each with its generation and the time since which it has had its status. One of ours that no longer
 * holds is left out, which removes it, unless another manager holds it too: then only sending it as not applicable takes
 * back what it said.
 */
export function dateConditions(drafts: readonly Draft[], dating: Dating): Condition[] {
  const types = new Set<string>(drafts.map(({ type }) => type));
  const kept = (dating.stored?.conditions ?? []).filter(
    ({ type }) => isOwnCondition(type) && !types.has(type) && dating.holders.conditions.has(type),
  );
  const notApplicable = kept.map(({ type }) => ({
    type,
    status: 'False' as const,
    reason: NOT_APPLICABLE,
    message: '',
  }));
  return [...drafts, ...notApplicable].map((draft) => dated(draft, dating));
}

function dated(
  draft: Omit<Draft, 'type'> & { readonly type: string },
  { generation, shown, now }: Dating,
): Condition {
  const before = shown?.conditions?.find(({ type }) => type === draft.type);
  const unchanged = before?.status === draft.status;
  return {
    type: draft.type,
    status: draft.status,
    observedGeneration: generation,
    lastTransitionTime: unchanged ? before.lastTransitionTime : wholeSeconds(now),
    reason: draft.reason,
    message: boundText(draft.message, MAX_MESSAGE_BYTES),
  };
}

/** RFC 3339 without fractions, as Kubernetes writes times. */
function wholeSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

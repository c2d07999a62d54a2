import type { ConditionType, ExecutorStatus } from '@executor-status/api';

/** Why an Event is told; the runbook has an entry for each. */
export const EVENT_REASONS = [
  'BuildFailed',
  'Recovered',
  'PodsMissing',
  'PodsStale',
  'StatusContended',
  'MaterialDiverged',
  'Truncated',
  'SchemaOutdated',
] as const;

export type EventReason = (typeof EVENT_REASONS)[number];

/** Something that became true with a write, and that somebody should read. */
export interface ExecutorEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: EventReason;
  readonly note: string;
}

/** A write that was stored. */
export interface StoredWrite {
  /** The status that was shown before; undefined for a fresh executor. */
  readonly before: ExecutorStatus | undefined;
  readonly after: ExecutorStatus;
  /** Fields that the CRD was found to lack by this write, and that had to be left out. */
  readonly leftOut: readonly string[];
}

/** What of a write is told as Events (acceptance AP-6, AP-7): what begins with it, never what goes on or merely changes its count. */
export function planEvents(write: StoredWrite): readonly ExecutorEvent[] {
  const events = [
    buildFailed(write),
    recovered(write),
    ...CONDITION_EVENTS.map((type) => conditionBegan(type, write)),
    truncated(write),
    schemaOutdated(write),
  ];
  return events.filter((event) => event !== undefined);
}

const CONDITION_EVENTS = ['PodsMissing', 'PodsStale', 'MaterialDiverged', 'StatusContended'] as const;

function buildFailed({ before, after }: StoredWrite): ExecutorEvent | undefined {
  const [was, is] = [conditionOf('Ready', before), conditionOf('Ready', after)];
  if (is?.reason !== 'PodsFailed') return undefined;
  if (was?.reason === is.reason && was.observedGeneration === is.observedGeneration) return undefined;
  return warning('BuildFailed', after.error || is.message);
}

/** Only after a settled failure: an executor that was never built has not recovered. */
function recovered({ before, after }: StoredWrite): ExecutorEvent | undefined {
  if (before === undefined || before.succeeded || !before.observedGeneration || !after.succeeded)
    return undefined;
  return {
    type: 'Normal',
    reason: 'Recovered',
    note: conditionOf('Ready', after)?.message ?? 'it builds again',
  };
}

function conditionBegan(
  type: (typeof CONDITION_EVENTS)[number],
  { before, after }: StoredWrite,
): ExecutorEvent | undefined {
  const is = conditionOf(type, after);
  if (is?.status !== 'True' || conditionOf(type, before)?.status === 'True') return undefined;
  return warning(type, is.message);
}

function truncated({ before, after }: StoredWrite): ExecutorEvent | undefined {
  if (!after.truncated || before?.truncated) return undefined;
  const note = `the status leaves out ${after.omitted ?? 0} entries and shortens what is too long; the counts are exact, and the reports tell the rest`;
  return { type: 'Normal', reason: 'Truncated', note };
}

function schemaOutdated({ leftOut }: StoredWrite): ExecutorEvent | undefined {
  if (leftOut.length === 0) return undefined;
  return warning(
    'SchemaOutdated',
    `apply crds/status-patch.yaml to the CRD: it lacks fields, which are left out: ${leftOut.join(', ')}`,
  );
}

const warning = (reason: EventReason, note: string): ExecutorEvent => ({ type: 'Warning', reason, note });

const conditionOf = (wanted: ConditionType, status: ExecutorStatus | undefined) =>
  status?.conditions?.find(({ type }) => type === wanted);

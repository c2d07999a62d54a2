import type { ExecutorPodStatus, ExecutorStatus } from '@executor-status/api';

/**
 * `report` as a writer of the version before would give it: with the fields that the report CRD requires and the texts, and an empty
 * time, which the first CRD allowed.
 */
export function olderReport({ spec, status, ...object }: ExecutorPodStatus): object {
  const { nodeName: _node, ...identity } = spec;
  if (status === undefined) return { ...object, spec: identity };
  const { id, executorUID, executorGeneration, succeeded, reason, error, briefError } = status;
  const said = { id, executorUID, executorGeneration, succeeded, reason, lastTransitionTime: '' };
  return { ...object, spec: identity, status: { ...said, error: error ?? '', briefError: briefError ?? '' } };
}

/** `report` as a writer of the version after might give it: with fields, a warning and perhaps a reason that nobody knows yet. */
export function newerReport({ spec, status, ...object }: ExecutorPodStatus, reason?: string): object {
  return {
    ...object,
    spec: { ...spec, newerIdentity: { zone: 'newer' } },
    ...(status && {
      status: {
        ...status,
        ...(reason !== undefined && { reason }),
        writerVersion: '99.0.0-newer',
        newerField: { depth: [1, { newer: true }] },
        warnings: [{ code: 'Unheard_Of', message: 'of another version', newerHint: 'newer' }],
        material: [{ path: '$', source: 'inline', sha256: 'ab', newerAlgorithm: 'newer' }],
      },
    }),
  };
}

/** `status` as an aggregator of the version after might have written it. */
export function newerStatus({ conditions = [], ...status }: ExecutorStatus): ExecutorStatus {
  const lastTransitionTime = '2026-08-06T09:00:00Z';
  const condition = {
    type: 'BudgetSpent',
    status: 'True',
    reason: 'Newer',
    message: 'of another version',
    lastTransitionTime,
  } as const;
  const newer = { newerField: 'newer' };
  return { ...status, ...newer, conditions: [...conditions, condition] };
}

/** A standard Kubernetes condition that carries its own observedGeneration. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly observedGeneration?: number;
  /** Moves only when `status` changes. RFC 3339, whole seconds. */
  readonly lastTransitionTime: string;
  readonly reason: string;
  /** At most 1,024 bytes. */
  readonly message: string;
}

export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** Every condition type of ours with its closed set of reasons. The docs list the same; a test compares them. */
export const CONDITIONS = {
  Ready: [
    'NoPods',
    'PodsFailed',
    'PodsNotReporting',
    'Building',
    'BlockedBySibling',
    'PodsUnobserved',
    'PodsStale',
    'RatifyMayBeStale',
    'BuildsInAllPods',
  ],
  Reconciling: ['Building', 'RollingOut'],
  Stalled: ['ConfigInvalid'],
  BlockedBySibling: ['SiblingFailed'],
  PodsMissing: ['WriterNotReporting'],
  PodsStale: ['PodLost', 'WriterNotRunning'],
  RatifyMayBeStale: ['NotRebuiltSinceRecovery'],
  MaterialDiverged: ['DigestsDiffer'],
  CredentialsExpiring: ['ExpiresSoon', 'Expired'],
  StatusContended: ['ForeignWriter'],
} as const;

export type ConditionType = keyof typeof CONDITIONS;
export type ConditionReason<T extends ConditionType = ConditionType> = (typeof CONDITIONS)[T][number];

/** Stands in a condition of ours that no longer holds while another manager keeps it from being removed. */
export const NOT_APPLICABLE = 'NotApplicable';

/** True for a condition type that this project writes. */
export function isOwnCondition(type: string): type is ConditionType {
  return Object.hasOwn(CONDITIONS, type);
}

export {
  boundBriefError,
  boundError,
  boundText,
  cleanText,
  encodedBytes,
  MAX_BRIEF_ERROR_BYTES,
  MAX_ERROR_BYTES,
} from './bounded-text.ts';
export {
  CONDITIONS,
  type Condition,
  type ConditionReason,
  type ConditionStatus,
  type ConditionType,
  isOwnCondition,
  NOT_APPLICABLE,
} from './conditions.ts';
export { DashPackError, dashPack, dashUnpack } from './dash-packer.ts';
export { errorText } from './error-text.ts';
export type {
  ErrorGroup,
  Executor,
  ExecutorRef,
  ExecutorStatus,
  PodCounts,
  PodEntry,
  WarningGroup,
} from './executor.ts';
export {
  type ExecutorPodStatus,
  type Material,
  newExecutorPodStatus,
  type PodIdentity,
  type ReportSpec,
  type ReportStatus,
  type Warning,
} from './executor-pod-status.ts';
export {
  EXECUTOR_GROUP,
  EXECUTOR_KINDS,
  EXECUTOR_PLURALS,
  EXECUTOR_VERSION,
  type ExecutorKind,
  REPORT_KIND,
  REPORT_PLURAL,
  STATUS_GROUP,
  STATUS_VERSION,
} from './groups.ts';
export {
  aggregatorFieldManager,
  OPT_OUT_LABEL,
  POD_UID_LABEL,
  REFRESH_ANNOTATION,
  WRITER_CONTAINER,
  WRITER_FIELD_MANAGER,
} from './labels.ts';
export type { ManagedFields, ObjectMeta, OwnerReference } from './object-meta.ts';
export { redact } from './redact.ts';
export { MAX_NAME_CHARS, reportName } from './report-name.ts';
export { isReportReason, REPORT_REASONS, type ReportReason } from './report-reasons.ts';

/** The API group of the reports; a group of their own, so that Ratify may one day ship a kind of the same name. */
export const STATUS_GROUP = 'status.ratify.sh';
export const STATUS_VERSION = 'v1alpha1';
export const REPORT_KIND = 'ExecutorPodStatus';
export const REPORT_PLURAL = 'executorpodstatuses';

/** The API group of Ratify's executors; a setting, because clusters from before 2026 have the older one. */
export const EXECUTOR_GROUP = 'config.ratify.sh';
export const EXECUTOR_VERSION = 'v2alpha1';

/** The two kinds of executor that Ratify has: for the cluster, and for one namespace. */
export const EXECUTOR_KINDS = ['Executor', 'NamespacedExecutor'] as const;
export type ExecutorKind = (typeof EXECUTOR_KINDS)[number];

/** The plural, lower-case name of each kind, as it stands in URLs and Roles. */
export const EXECUTOR_PLURALS: Readonly<Record<ExecutorKind, string>> = {
  Executor: 'executors',
  NamespacedExecutor: 'namespacedexecutors',
};

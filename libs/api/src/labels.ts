/** On a report: the uid of its pod. Label values are uids only, since a name may be longer than the 63 characters of a label. */
export const POD_UID_LABEL = 'status.ratify.sh/pod-uid';
/** On a pod, with the value `true`: this pod is not expected to report. */
export const OPT_OUT_LABEL = 'status.ratify.sh/opt-out';
/** On an executor: a new value asks every pod for a new build. */
export const REFRESH_ANNOTATION = 'status.ratify.sh/refresh';

/** The container (or init container) whose presence means that a pod is observed. */
export const WRITER_CONTAINER = 'executor-writer';
/** The field manager of every report. */
export const WRITER_FIELD_MANAGER = 'executor-writer';

/** The field manager of an executor's status; the namespace tells two installations apart. */
export function aggregatorFieldManager(namespace: string): string {
  return `status-aggregator/${namespace}`;
}

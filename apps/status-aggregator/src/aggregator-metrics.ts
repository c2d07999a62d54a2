import type { MetricDeclaration } from '@executor-status/process';

/** Every figure that the aggregator itself reports; those of the libraries come on top. */
export const AGGREGATOR_METRICS: readonly MetricDeclaration[] = [
  {
    name: 'executor_condition',
    kind: 'gauge',
    help: '1 for the status that a condition of an executor has; conditions that are absent have no series.',
    labels: ['kind', 'namespace', 'name', 'type', 'status'],
  },
  {
    name: 'executor_status_writes_total',
    kind: 'counter',
    help: 'Writes of executor statuses, by kind, urgency and result.',
    labels: ['kind', 'urgency', 'result'],
  },
  {
    name: 'executor_status_write_failures_total',
    kind: 'counter',
    help: 'Writes of executor statuses that failed, by HTTP status; none when no answer came. Conflicts are no failures.',
    labels: ['code'],
  },
  {
    name: 'executor_status_dropped_fields_total',
    kind: 'counter',
    help: 'Fields of a status that were left out because the installed CRD does not have them.',
    labels: ['kind'],
  },
  {
    name: 'executor_status_identity_mismatch_total',
    kind: 'counter',
    help: 'Reports that were ignored because their name says something else than their spec.',
  },
  {
    name: 'executor_status_orphans',
    kind: 'gauge',
    help: 'Reports that nobody stands behind any more and that are due to be swept.',
  },
  {
    name: 'executor_status_swept_total',
    kind: 'counter',
    help: 'Orphaned reports that were removed, by what they lacked.',
    labels: ['why'],
  },
  {
    name: 'executor_status_leader',
    kind: 'gauge',
    help: '1 while this process may write statuses, else 0.',
  },
  {
    name: 'executor_status_queue_depth',
    kind: 'gauge',
    help: 'Executors that wait for a look.',
  },
  {
    name: 'executor_status_watch_age_seconds',
    kind: 'gauge',
    help: 'How long ago the API server was last heard on a watch.',
    labels: ['resource'],
  },
];

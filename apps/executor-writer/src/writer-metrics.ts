import type { MetricDeclaration } from '@executor-status/process';

/** Every figure that the writer itself reports; those of the libraries come on top. */
export const WRITER_METRICS: readonly MetricDeclaration[] = [
  {
    name: 'executor_builds_total',
    kind: 'counter',
    help: 'Builds of executors in this pod, by what caused them and how they ended.',
    labels: ['trigger', 'result'],
  },
  {
    name: 'executor_build_seconds',
    kind: 'histogram',
    help: 'How long the build of one executor took.',
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60],
  },
  {
    name: 'executor_build_ok',
    kind: 'gauge',
    help: '1 if the executor builds in this pod, else 0.',
    labels: ['kind', 'namespace', 'name'],
  },
  {
    name: 'executor_status_writes_total',
    kind: 'counter',
    help: 'Writes of own reports: the object, its status, its removal.',
    labels: ['write', 'result'],
  },
  {
    name: 'executor_status_write_failures_total',
    kind: 'counter',
    help: 'Writes of own reports that failed, by HTTP status; none when no answer came.',
    labels: ['code'],
  },
  {
    name: 'executor_status_queue_depth',
    kind: 'gauge',
    help: 'Keys that wait: sets to be built, reports to be looked at.',
    labels: ['queue'],
  },
  {
    name: 'executor_status_watch_age_seconds',
    kind: 'gauge',
    help: 'How long ago the API server was last heard on a watch.',
    labels: ['resource'],
  },
];

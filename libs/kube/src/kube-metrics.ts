import type { MetricSpec } from '@executor-status/controller';

/** Every figure that this library reports. */
export const KUBE_METRICS: readonly MetricSpec[] = [
  {
    name: 'kube_requests_total',
    kind: 'counter',
    help: 'Calls to the API server by verb, resource and HTTP status, or the reason why there was none.',
    labels: ['verb', 'resource', 'code'],
  },
  {
    name: 'kube_request_seconds',
    kind: 'histogram',
    help: 'How long calls to the API server took, waiting in line included; streams up to their first byte.',
    labels: ['verb'],
  },
  {
    name: 'kube_requests_in_flight',
    kind: 'gauge',
    help: 'Calls that are open now; streams do not count.',
    labels: [],
  },
  {
    name: 'kube_requests_waiting',
    kind: 'gauge',
    help: 'Calls that wait for the client-side limits.',
    labels: [],
  },
  {
    name: 'kube_watch_failures_total',
    kind: 'counter',
    help: 'Watches that failed, by resource and HTTP status or reason; each is retried.',
    labels: ['resource', 'reason'],
  },
  {
    name: 'kube_watch_lists_total',
    kind: 'counter',
    help: 'Complete lists that a watch took: one at the start, and one after each time it could not resume.',
    labels: ['resource'],
  },
];

import {
  type Condition,
  EXECUTOR_GROUP,
  EXECUTOR_VERSION,
  type ExecutorStatus,
  type PodEntry,
} from '@executor-status/api';
import type { Full, Minimal } from './full.ts';
import { POD } from './full-report.ts';

/** A condition in which every field stands. */
export const fullCondition: Full<Condition> = {
  type: 'Ready',
  status: 'False',
  observedGeneration: 4,
  lastTransitionTime: '2026-08-06T09:49:44Z',
  reason: 'PodsFailed',
  message: '1 of 5 pods cannot build it',
};

/** An entry in which every field stands. */
export const fullEntry: Full<PodEntry> = {
  id: POD.name,
  observedGeneration: 4,
  succeeded: false,
  error: 'dial tcp: i/o timeout',
  briefError: 'dial tcp: i/o timeout',
  lastTransitionTime: '2026-08-06T09:49:44Z',
  reason: 'ProviderUnreachable',
  podUID: POD.uid,
  nodeName: POD.nodeName,
  lastSucceededGeneration: 3,
  stale: true,
};

/** A status in which every field of `ExecutorStatus` stands. */
export const fullExecutorStatus: Full<ExecutorStatus> = {
  succeeded: false,
  error: '1/5 replicas unhealthy: dial tcp: i/o timeout',
  briefError: 'dial tcp: i/o timeout',
  observedGeneration: 4,
  conditions: [fullCondition],
  podCounts: {
    expected: 5,
    reporting: 5,
    missing: 0,
    unobserved: 0,
    upToDate: 5,
    behind: 0,
    succeeded: 4,
    failed: 1,
    stale: 1,
  },
  builds: '4/5',
  errorGroups: [
    { reason: 'ProviderUnreachable', message: 'dial tcp: i/o timeout', count: 1, examplePods: [POD.name] },
  ],
  warningGroups: [{ code: 'CertificateExpired', message: 'expired', count: 5, examplePods: [POD.name] }],
  byPod: [fullEntry],
  truncated: true,
  omitted: 4,
};

/** A status that names every field of its own and is empty: what an apply sends so that nothing old survives. */
export const emptyExecutorStatus = {
  succeeded: false,
  error: '',
  briefError: '',
  observedGeneration: 0,
  conditions: [],
  podCounts: {
    expected: 0,
    reporting: 0,
    missing: 0,
    unobserved: 0,
    upToDate: 0,
    behind: 0,
    succeeded: 0,
    failed: 0,
    stale: 0,
  },
  builds: '',
  errorGroups: [],
  warningGroups: [],
  byPod: [],
  truncated: false,
  omitted: 0,
} as const satisfies Full<ExecutorStatus>;

/** The least that an entry or a group may say, to hold the schema's required fields against the types. */
export const minimalExecutorStatus: Minimal<Required<ExecutorStatus>> = {
  succeeded: false,
  error: '',
  briefError: '',
  observedGeneration: 1,
  conditions: [
    {
      type: 'Ready',
      status: 'Unknown',
      lastTransitionTime: '2026-08-06T09:49:44Z',
      reason: 'NoPods',
      message: '',
    },
  ],
  podCounts: emptyExecutorStatus.podCounts,
  builds: '',
  errorGroups: [{ reason: 'BuildFailed', message: '', count: 1, examplePods: [] }],
  warningGroups: [{ code: 'CertificateExpired', message: '', count: 1, examplePods: [] }],
  byPod: [{ id: POD.name, observedGeneration: 1, succeeded: true, reason: 'Built', podUID: POD.uid }],
  truncated: false,
  omitted: 0,
};

/** An Executor that both Ratify and its CRD accept. */
export const validExecutor = {
  apiVersion: `${EXECUTOR_GROUP}/${EXECUTOR_VERSION}`,
  kind: 'Executor',
  metadata: { name: 'default' },
  spec: {
    scopes: ['registry.example'],
    verifiers: [{ name: 'notation', type: 'notation', parameters: {} }],
    stores: [{ type: 'registry-store', parameters: {} }],
  },
} as const;

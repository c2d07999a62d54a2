import {
  type ExecutorPodStatus,
  newExecutorPodStatus,
  type ReportSpec,
  type ReportStatus,
} from '@executor-status/api';
import type { Full, Minimal } from './full.ts';

/** The pod that reports. */
export const POD = {
  namespace: 'gatekeeper-system',
  name: 'ratify-7d9f8c5b6d-abcde',
  uid: '6d0c',
  nodeName: 'node-1',
};

/** A spec in which every field of `ReportSpec` stands. */
export const fullReportSpec: Full<ReportSpec> = {
  executorRef: { kind: 'NamespacedExecutor', name: 'default', namespace: 'team-a' },
  pod: { name: POD.name, uid: POD.uid },
  nodeName: POD.nodeName,
};

/** A status in which every field of `ReportStatus` stands. */
export const fullReportStatus: Full<ReportStatus> = {
  id: POD.name,
  executorUID: '91af',
  executorGeneration: 4,
  succeeded: false,
  reason: 'ProviderUnreachable',
  error: 'the key vault gave no answer: dial tcp: i/o timeout',
  briefError: 'dial tcp: i/o timeout',
  blocksSet: true,
  lastTransitionTime: '2026-08-06T09:49:44Z',
  lastSucceededGeneration: 3,
  recoveredAt: '2026-08-06T09:50:44Z',
  material: [
    {
      path: 'spec.verifiers[0]',
      source: 'inline',
      sha256: '1f0e1f0e1f0e1f0e',
      notAfter: '2027-08-06T09:49:44Z',
    },
  ],
  materialDigest: '1f0e1f0e1f0e1f0e',
  warnings: [
    { code: 'CertificateExpired', path: 'spec.verifiers[0]', message: 'the certificate has expired' },
  ],
  writerVersion: '0.1.0',
};

/** The least that a report may say. */
export const minimalReportStatus: Minimal<ReportStatus> = {
  id: POD.name,
  executorUID: '91af',
  executorGeneration: 1,
  succeeded: true,
  reason: 'Built',
};

/** The report of a pod about an Executor, with a status. */
export function report(status: ReportStatus = minimalReportStatus): ExecutorPodStatus {
  return { ...newExecutorPodStatus(POD, { kind: 'Executor', name: 'default' }), status };
}

import type { ExecutorRef } from './executor.ts';
import { REPORT_KIND, STATUS_GROUP, STATUS_VERSION } from './groups.ts';
import { POD_UID_LABEL } from './labels.ts';
import type { ObjectMeta } from './object-meta.ts';
import { reportName } from './report-name.ts';
import type { ReportReason } from './report-reasons.ts';

/** What one pod says of one executor: a report. Named by (pod, executor), owned by the pod. */
export interface ExecutorPodStatus {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: ReportSpec;
  /** Absent until the pod has reported; that is never a failure. */
  readonly status?: ReportStatus;
}

/** Whose report this is; immutable as a whole. The object's name is only a key. */
export interface ReportSpec {
  readonly executorRef: ExecutorRef;
  readonly pod: { readonly name: string; readonly uid: string };
  readonly nodeName?: string;
}

/** The verdict of one pod about one generation of one executor object. */
export interface ReportStatus {
  /** The pod name; equal to `spec.pod.name`. */
  readonly id: string;
  readonly executorUID: string;
  /** Not `observedGeneration`: generic tools would compare that with this object's own generation. */
  readonly executorGeneration: number;
  readonly succeeded: boolean;
  readonly reason: ReportReason;
  /** At most 4,096 bytes; the whole chain of causes. */
  readonly error?: string;
  /** At most 123 bytes, one line, the root cause first. */
  readonly briefError?: string;
  /** While this executor fails, Ratify cannot load its set. */
  readonly blocksSet?: boolean;
  /** Moves only when `succeeded` flips. RFC 3339, whole seconds. */
  readonly lastTransitionTime?: string;
  /** The newest generation that built in this pod. */
  readonly lastSucceededGeneration?: number;
  /** This generation failed here for a passing reason and built at this time. */
  readonly recoveredAt?: string;
  /** What the build loaded, at most 16. */
  readonly material?: readonly Material[];
  /** SHA-256 (at most 16 hex digits) over all material, also beyond 16. */
  readonly materialDigest?: string;
  /** It builds, but hardly as meant; at most 5. */
  readonly warnings?: readonly Warning[];
  readonly writerVersion?: string;
}

/** One certificate or key that a build loaded. */
export interface Material {
  /** Where the spec asks for it, as a JSON path. */
  readonly path: string;
  /** `inline`, a file path, or a vault object with its version. */
  readonly source: string;
  /** At most 16 hex digits. */
  readonly sha256: string;
  /** End of validity, RFC 3339; certificates only. */
  readonly notAfter?: string;
}

/** Something that Ratify accepts but that can hardly have been meant. */
export interface Warning {
  readonly code: string;
  /** Where in the spec, as a JSON path. */
  readonly path?: string;
  readonly message: string;
}

/** A pod as a report names it. */
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly nodeName?: string;
}

/** The report of `pod` about `executor` without a status, as it is first created. */
export function newExecutorPodStatus(pod: PodIdentity, executorRef: ExecutorRef): ExecutorPodStatus {
  return {
    apiVersion: `${STATUS_GROUP}/${STATUS_VERSION}`,
    kind: REPORT_KIND,
    metadata: {
      name: reportName(pod.name, executorRef),
      namespace: pod.namespace,
      labels: { [POD_UID_LABEL]: pod.uid },
      // Neither controller nor blockOwnerDeletion: the latter would need a right on the pod's finalizers.
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid }],
    },
    spec: {
      executorRef,
      pod: { name: pod.name, uid: pod.uid },
      ...(pod.nodeName === undefined ? {} : { nodeName: pod.nodeName }),
    },
  };
}

import type { Condition } from './conditions.ts';
import type { ExecutorKind } from './groups.ts';
import type { ObjectMeta } from './object-meta.ts';
import type { ReportReason } from './report-reasons.ts';

/** Names one executor; `namespace` for a NamespacedExecutor only. */
export interface ExecutorRef {
  readonly kind: ExecutorKind;
  readonly name: string;
  readonly namespace?: string;
}

/** Ratify's `Executor` or `NamespacedExecutor`, with our status. */
export interface Executor {
  readonly apiVersion: string;
  readonly kind: ExecutorKind;
  readonly metadata: ObjectMeta;
  readonly spec?: unknown;
  readonly status?: ExecutorStatus;
}

/** The status of an executor: what all Ratify pods say of it together. */
export interface ExecutorStatus {
  /** The settled verdict: every expected pod built `observedGeneration`. Required by Ratify's CRD. */
  readonly succeeded: boolean;
  /** At most 4,096 bytes; begins `N/M replicas unhealthy: `; empty when succeeded. */
  readonly error?: string;
  /** At most 123 bytes, one line, the root cause first; empty when succeeded. */
  readonly briefError?: string;
  /** The generation that the three fields above speak of. */
  readonly observedGeneration?: number;
  /** A map by type, at most 16. */
  readonly conditions?: readonly Condition[];
  readonly podCounts?: PodCounts;
  /** `4/5`: pods that built it of pods expected to, for the printer column. */
  readonly builds?: string;
  /** At most 10, the largest first. */
  readonly errorGroups?: readonly ErrorGroup[];
  /** At most 5, the largest first. */
  readonly warningGroups?: readonly WarningGroup[];
  /** At most 256 by schema; failing first, then behind, stale, by id. */
  readonly byPod?: readonly PodEntry[];
  /** True when something was left out of the lists; the counts are exact all the same. */
  readonly truncated?: boolean;
  /** How many pods have no entry in `byPod`. */
  readonly omitted?: number;
}

/** `expected = reporting + missing + unobserved`; `reporting = upToDate + behind`; `upToDate = succeeded + failed`; `stale` overlaps. */
export interface PodCounts {
  readonly expected: number;
  readonly reporting: number;
  readonly missing: number;
  readonly unobserved: number;
  readonly upToDate: number;
  readonly behind: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly stale: number;
}

/** Pods that fail in the same way. */
export interface ErrorGroup {
  readonly reason: ReportReason;
  /** At most 256 bytes. */
  readonly message: string;
  readonly count: number;
  /** At most 3, the first by id. */
  readonly examplePods: readonly string[];
}

/** Pods that warn of the same thing. */
export interface WarningGroup {
  readonly code: string;
  /** At most 256 bytes. */
  readonly message: string;
  readonly count: number;
  /** At most 3, the first by id. */
  readonly examplePods: readonly string[];
}

/** One report inside `byPod`; the first six fields are those of Ratify's pull request #2831. */
export interface PodEntry {
  /** The pod name, or `namespace/name` when pods run in more than one namespace; the uid where names are hidden. */
  readonly id: string;
  readonly observedGeneration: number;
  readonly succeeded: boolean;
  /** At most 512 bytes. */
  readonly error?: string;
  /** At most 123 bytes. */
  readonly briefError?: string;
  readonly lastTransitionTime?: string;
  readonly reason: ReportReason;
  readonly podUID: string;
  readonly nodeName?: string;
  readonly lastSucceededGeneration?: number;
  readonly stale?: boolean;
}

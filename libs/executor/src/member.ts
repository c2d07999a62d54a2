import type { Material, ReportReason, Warning } from '@executor-status/api';
import type { FaultCode } from './faults/fault-codes.ts';

/** One stored member of a set: what the API server holds. */
export interface Member {
  readonly kind: 'Executor' | 'NamespacedExecutor';
  /** For a NamespacedExecutor; absent or empty for an Executor. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly spec: unknown;
}

/** The verdict about one member, alone; conflicts inside its set are added by `judgeSet`. */
export interface Outcome {
  readonly succeeded: boolean;
  /** `Built` when it succeeded. */
  readonly reason: ReportReason;
  /** Which kind of fault; absent when it succeeded or when our own code failed. */
  readonly code?: FaultCode;
  /** JSON path of the place to look at. */
  readonly path?: string;
  /** The whole chain of causes; without secrets, at most 4,096 bytes. */
  readonly error?: string;
  /** The root cause first; without secrets, at most 123 bytes. */
  readonly briefError?: string;
  /** While it fails, Ratify cannot load its set: false for faults that keep the spec out of Ratify's memory. */
  readonly blocksSet: boolean;
  /** Whether trying again, with nothing changed, can help. */
  readonly retryable: boolean;
  /** What a provider asked for, in milliseconds. */
  readonly retryAfterMs?: number;
  /** What the build loaded before it ended. */
  readonly material: readonly Material[];
  readonly materialDigest?: string;
  /** Only when it succeeded: it builds, but hardly as meant. */
  readonly warnings: readonly Warning[];
  /** Files and folders whose change asks for a new build. */
  readonly files: readonly string[];
}

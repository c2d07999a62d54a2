import type { Executor, ExecutorPodStatus } from '@executor-status/api';
import type { ExecutorMemory } from './executor-memory.ts';
import type { SeenPod } from './judge-pods.ts';
import type { FieldPath } from './name-fields.ts';
import type { StatusSettings } from './status-settings.ts';

/** Everything that the status of one executor depends on, as values. */
export interface View {
  /** As stored now; undefined when it is gone. */
  readonly executor: Executor | undefined;
  /** Whether `executor` was read from the server for this look; then no report can be ahead of it for a good reason. */
  readonly live: boolean;
  /** The reports that name it. */
  readonly reports: readonly ExecutorPodStatus[];
  /** All Ratify pods. */
  readonly pods: readonly SeenPod[];
  /** The name of another executor of its set that fails with `blocksSet`, the first by name. */
  readonly blockedBy?: string;
  /** What the last plan for this name left. */
  readonly memory?: ExecutorMemory;
  /** Fields that the installed CRD is known not to declare. */
  readonly dropped: readonly FieldPath[];
  readonly fieldManager: string;
  readonly settings: StatusSettings;
  /** A clock that never jumps, in milliseconds. */
  readonly nowMs: number;
  /** The wall clock: for dates that are shown, and for certificates. */
  readonly now: Date;
}

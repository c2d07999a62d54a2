import type { Executor, ExecutorRef } from '@executor-status/api';
import type { KeyTimers } from '@executor-status/controller';
import type { Clock } from '@executor-status/kube';
import type { Metrics } from '@executor-status/process';
import type { BuildTimes } from './build-schedule.ts';
import type { ExecutorSets } from './executor-sets.ts';
import type { OutcomeSource } from './outcome-source.ts';
import type { WatchedFiles } from './watched-files.ts';

/** What builds need. */
export interface BuildParts {
  readonly sets: ExecutorSets;
  /** Reads the whole object now; `undefined` when it is not there. */
  readonly read: (ref: ExecutorRef) => Promise<Executor | undefined>;
  readonly source: OutcomeSource;
  readonly files: WatchedFiles;
  /** Alarms by executor key: when it is built although nothing is known to have changed. */
  readonly timers: KeyTimers;
  readonly times: BuildTimes;
  /** How many executors of a set are read or built side by side. */
  readonly concurrency: number;
  /** How long the set waits for a slow build before it begins its next round without it, in milliseconds. */
  readonly patienceMs: number;
  readonly clock: Clock;
  /** The wall clock: for end dates, and to compare with the times of files. */
  readonly today: () => Date;
  readonly random: () => number;
  readonly metrics: Metrics;
  /** Ends all builds. */
  readonly signal: AbortSignal;
}

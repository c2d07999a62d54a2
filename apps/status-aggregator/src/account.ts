import type { ExecutorMemory } from './executor-memory.ts';
import type { Pace } from './plan-spacing.ts';

/** What is kept of one executor between two looks. Times are on the monotonic clock. */
export interface Account {
  memory?: ExecutorMemory;
  pace: Pace;
  lookedMs: number;
  /** How long the last plan took. */
  plannedInMs: number;
  /** The watch may have missed something: read the executor from the server at the next look. */
  doubted: boolean;
  /** Most bytes of its status, where the server has refused a larger one. */
  maxStatusBytes?: number;
  /** How many writes have failed in a row, and until when nothing is tried. */
  failures: number;
  restUntilMs: number;
}

/** The account of an executor that was never looked at. */
export function newAccount(): Account {
  return {
    pace: {},
    lookedMs: Number.NEGATIVE_INFINITY,
    plannedInMs: 0,
    doubted: false,
    failures: 0,
    restUntilMs: 0,
  };
}

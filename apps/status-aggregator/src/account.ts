import type { Executor, ExecutorStatus } from '@executor-status/api';
import type { ExecutorMemory } from './executor-memory.ts';
import type { Patience } from './patience.ts';
import type { Pace } from './plan-spacing.ts';
import type { Write } from './plan-status.ts';
import { NO_REST, type Rest } from './rest-after.ts';
import type { SizeLimit } from './size-limit.ts';

/** What is kept of one executor between two looks. Times are on the monotonic clock. */
export interface Account {
  memory?: ExecutorMemory;
  pace: Pace;
  lookedMs: number;
  /** Until then it rests: something has happened, and its alarm is set for when it may be looked at again. */
  looksAtMs: number;
  /** How long the last plan took. */
  plannedInMs: number;
  /** The watch may have missed something: read the executor from the server at the next look. */
  doubted: boolean;
  sizeLimit?: SizeLimit;
  rest: Rest;
  patience?: Patience | undefined;
  /** The write that is on its way, as it was last tried. */
  trying?: Try;
  /** The last ones without an answer, the oldest first: one of them may have been stored. */
  unanswered: readonly Try[];
}

/** A write that was sent, and what was stored before. */
export interface Try {
  readonly plan: Write;
  readonly before: ExecutorStatus | undefined;
}

/** A write that wants to be made. */
export interface Due {
  readonly key: string;
  readonly account: Account;
  /** As the plan was made for it. */
  readonly executor: Executor;
  readonly plan: Write;
}

/** The account of an executor that was never looked at. */
export function newAccount(): Account {
  return {
    pace: {},
    lookedMs: Number.NEGATIVE_INFINITY,
    looksAtMs: Number.NEGATIVE_INFINITY,
    plannedInMs: 0,
    doubted: false,
    rest: NO_REST,
    unanswered: [],
  };
}

import type { KeyTimers } from '@executor-status/controller';
import type { SpacingSettings } from './plan-spacing.ts';
import type { LookParts } from './status-looks.ts';
import type { WriteBudget } from './write-budget.ts';
import type { WriteTrouble } from './write-trouble.ts';

/** What keeping statuses needs. */
export interface KeeperParts extends LookParts {
  readonly budget: WriteBudget;
  readonly trouble: Pick<WriteTrouble, 'calm'>;
  /** When an executor must be looked at although nothing has changed. */
  readonly timers: Pick<KeyTimers, 'set' | 'clear'>;
  /** Waits until it is the turn of one more look: two in a row may take longer than anything else may wait. */
  readonly turn: () => Promise<void>;
  /** Asks for a look at an executor. */
  readonly ask: (key: string) => void;
  readonly spacing: SpacingSettings;
  /** Least time between two looks at one executor, in milliseconds: a burst of reports becomes a few looks. */
  readonly lookMs: number;
  /** The longest that looks are put off because each takes long, in milliseconds. */
  readonly maxLookMs: number;
  readonly random: () => number;
}

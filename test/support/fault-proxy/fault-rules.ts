import type { Fault } from './fault.ts';
import { isMeant, type Match, type SeenRequest } from './seen-request.ts';

/** A fault, and which requests meet it. */
export type FaultRule = Fault & {
  /** All requests if absent. */
  readonly match?: Match;
  /** How many requests meet it; all if absent. */
  readonly times?: number;
  /** It ends when this says so. */
  readonly until?: () => boolean;
};

/** A rule in force. */
export interface ActiveRule {
  /** How many requests have met it. */
  readonly hits: number;
  /** Ends it. */
  readonly remove: () => void;
}

/** The rules that a test has made; the oldest that fits a request counts. */
export class FaultRules {
  readonly #rules = new Set<{ readonly rule: FaultRule; hits: number }>();

  add(rule: FaultRule): ActiveRule {
    const entry = { rule, hits: 0, remove: () => void this.#rules.delete(entry) };
    this.#rules.add(entry);
    return entry;
  }

  clear(): void {
    this.#rules.clear();
  }

  /** The fault that a request meets. */
  next(request: SeenRequest): Fault | undefined {
    for (const entry of this.#rules) {
      const { rule } = entry;
      if (rule.until?.() === true || entry.hits >= (rule.times ?? Number.POSITIVE_INFINITY)) {
        this.#rules.delete(entry);
      } else if (isMeant(request, rule.match ?? {})) {
        entry.hits += 1;
        return rule;
      }
    }
    return undefined;
  }
}

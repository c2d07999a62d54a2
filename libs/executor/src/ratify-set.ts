import { buildExecutor } from './build-executor.ts';
import type { Environment } from './environment.ts';
import { type Judged, judgeSet } from './judge-set.ts';
import type { Member, Outcome } from './member.ts';

/** What Ratify would write into the status of the member that was just applied. */
export interface Reconciled {
  /** The member's own fault, or else that of `blame`. */
  readonly outcome: Outcome;
  /** Set when only another member of the set is bad: Ratify puts its error on the one that was reconciled. */
  readonly blame?: Member;
}

/**
 * Replays what Ratify's reconciler does with one set: it stores what it can convert, then builds the whole set, and
 * the result becomes the status of the resource just reconciled. For comparing with Ratify; a report never does so.
 */
export class RatifySet {
  readonly #stored = new Map<string, Judged>();
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Creates or updates a member. */
  async apply(member: Member): Promise<Reconciled> {
    const key = keyOf(member);
    const outcome = await buildExecutor(member, this.#environment);
    // What cannot be converted is not stored: the earlier spec of that name stays in force.
    if (!outcome.succeeded && !outcome.blocksSet) return { outcome };
    this.#stored.set(key, { member, outcome });
    const judged = judgeSet(this.#stored);
    const own = judged.get(key) ?? outcome;
    return own.succeeded ? this.#firstBad(judged, own) : { outcome: own };
  }

  /** Deletes a member; Ratify writes no status then. */
  delete(member: Pick<Member, 'kind' | 'name'>): void {
    this.#stored.delete(keyOf(member));
  }

  #firstBad(judged: ReadonlyMap<string, Outcome>, own: Outcome): Reconciled {
    for (const [key, outcome] of judged) {
      const blame = this.#stored.get(key)?.member;
      if (!outcome.succeeded && blame !== undefined) return { outcome, blame };
    }
    return { outcome: own };
  }
}

const keyOf = ({ kind, name }: Pick<Member, 'kind' | 'name'>) => `${kind}/${name}`;

import { isDeepStrictEqual } from 'node:util';
import type { Executor, ExecutorRef } from '@executor-status/api';
import { executorKey, executorRef, setKey } from './executor-key.ts';
import { Member } from './member.ts';
import type { OutcomeSource } from './outcome-source.ts';

/** What this pod knows of all executors that it has read. */
export class Members {
  readonly #source: Pick<OutcomeSource, 'judge'>;
  readonly #members = new Map<string, Member>();

  constructor(source: Pick<OutcomeSource, 'judge'>) {
    this.#source = source;
  }

  get(ref: Pick<ExecutorRef, 'name' | 'namespace'>): Member | undefined {
    return this.#members.get(executorKey(ref));
  }

  /** All members of a set, in the order in which they were first read. */
  of(set: string): readonly Member[] {
    return [...this.#members.values()].filter(({ ref }) => setKey(ref) === set);
  }

  /** Takes in an executor as it was read now. */
  update(executor: Executor): Member {
    const key = executorKey(executorRef(executor.metadata));
    const member = this.#members.get(key) ?? new Member(executor);
    member.update(executor);
    this.#members.set(key, member);
    return member;
  }

  remove({ ref }: Member): void {
    this.#members.delete(executorKey(ref));
  }

  /** Looks at the set as a whole. Returns the members whose verdict is another now; one that is not built yet has none. */
  judge(set: string): readonly Member[] {
    const members = this.of(set);
    const outcomes = this.#source.judge(members);
    return members.filter((member, at) => {
      const { uid = '', generation = 0 } = member.executor.metadata;
      const outcome = outcomes[at];
      if (member.outcome === undefined || outcome === undefined) return false;
      if (isDeepStrictEqual(member.verdict, { uid, generation, outcome })) return false;
      member.verdict = { uid, generation, outcome };
      return true;
    });
  }
}

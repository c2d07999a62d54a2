import type { Executor } from '@executor-status/api';
import {
  buildExecutor,
  type Environment,
  judgeSet,
  type Member,
  type Outcome,
} from '@executor-status/executor';
import type { OutcomeSource } from './outcome-source.ts';

/**
 * Builds executors in this pod by Ratify's rules: with its files, its variables, its identity and its network.
 *
 * @param environment - makes what one round of builds looks at: answers from outside are shared within a round.
 */
export function podOutcomes(environment: (signal: AbortSignal) => Environment): OutcomeSource {
  return {
    round: (roundSignal) => {
      const shared = environment(roundSignal);
      return {
        build: (executor, buildSignal) => {
          const signal = AbortSignal.any([roundSignal, buildSignal]);
          return buildExecutor(memberOf(executor), { ...shared, signal });
        },
      };
    },
    judge: (set) => {
      const judged = set.map(({ executor, outcome = NOT_BUILT_YET }) => ({
        member: memberOf(executor),
        outcome,
      }));
      const outcomes = judgeSet(new Map(judged.map((one, at) => [String(at), one])));
      return set.map(({ outcome }, at) => outcome && outcomes.get(String(at)));
    },
  };
}

function memberOf({ kind, metadata, spec }: Executor): Member {
  const { name, namespace, uid = '' } = metadata;
  return { kind, name, uid, spec, ...(namespace !== undefined && { namespace }) };
}

/** Stands for the outcome of a member that has none: it claims its scopes all the same. */
const NOT_BUILT_YET: Outcome = {
  succeeded: false,
  reason: 'BuildFailed',
  blocksSet: false,
  retryable: false,
  material: [],
  warnings: [],
  files: [],
};

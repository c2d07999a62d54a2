import type { ExecutorStatus, PodEntry } from '@executor-status/api';
import { goProgram } from './go-program.ts';

/** The three fields that Ratify itself knows; Go leaves empty texts out. */
export type RatifyRead = Pick<ExecutorStatus, 'succeeded' | 'error' | 'briefError'>;

/** What readers with less knowledge make of one executor. */
export interface StrictlyRead {
  readonly ratify: RatifyRead;
  /** As Ratify's pull request #2831 has it: the three, and entries of six fields. */
  readonly listed: RatifyRead & {
    readonly byPod?: readonly (Pick<PodEntry, 'id' | 'succeeded'> &
      Partial<Pick<PodEntry, 'observedGeneration' | 'error' | 'briefError' | 'lastTransitionTime'>>)[];
  };
}

/**
 * Reads the statuses of executors in Go, with the types of Ratify and of its pull request #2831; one answer for each, in order.
 *
 * @throws {Error} where a type or a name is not theirs.
 */
export async function readStrictly(objects: readonly object[]): Promise<readonly StrictlyRead[]> {
  const program = await goProgram('strict-reader', (line) => process.stderr.write(`    ${line}\n`));
  const output = await program.run(objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as StrictlyRead);
}

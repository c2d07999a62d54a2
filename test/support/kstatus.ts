import { goProgram } from './go-program.ts';

/** What kstatus says of one object. */
export interface KstatusAnswer {
  readonly status: 'Current' | 'InProgress' | 'Failed' | 'Terminating' | 'NotFound' | 'Unknown';
  readonly message: string;
}

/** Asks kstatus, by which Flux, kpt and others judge, about objects; one answer for each, in order. */
export async function kstatus(objects: readonly object[]): Promise<readonly KstatusAnswer[]> {
  const program = await goProgram('kstatus', (line) => process.stderr.write(`    ${line}\n`));
  const output = await program.run(objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  return output
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KstatusAnswer);
}

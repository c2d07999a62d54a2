import type { Judged } from './budgets.ts';

/** Says of every missed budget why it is missed and what was tried. */
export function missedNotes(missed: readonly Judged[]): readonly string[] {
  return ['Missed:', '', ...missed.map(({ name }) => `- \`${name}\`: ${noteOn(name)}`)];
}

function noteOn(name: string): string {
  return NOTES.find(([pattern]) => pattern.test(name))?.[1] ?? 'not looked into yet.';
}

const NOTES: readonly (readonly [pattern: RegExp, note: string])[] = [
  [
    /^burst\..*\.cpu$/,
    'nine tenths of it are looks, each of which goes through all pods of an executor; they cost more the longer the burst lasts. The budgets ' +
      'are from a machine whose API server takes 420 to 460 status writes a second; see `limit.status-writes` for this one. Tried: a larger ' +
      'young generation, half as many looks, no looks while awaited pods report success.',
  ],
  [
    /^burst\.5000x5\.(writes|lag|cpu-after)$|^growth\.writes/,
    'the burst outlasts the grace of 60 s on this machine: pods that are overdue are told, which are writes that a faster one has not.',
  ],
  [
    /^fleet\.stand-in\.rebuilds$/,
    'the bound of 3 is for 50 pods. 1,000 pods take longer to build an edit, and one more write of progress falls into that time.',
  ],
];

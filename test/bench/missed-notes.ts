import type { Judged } from './budgets.ts';

/** Says of every missed budget why it is missed and what was tried. */
export function missedNotes(missed: readonly Judged[]): readonly string[] {
  return ['Missed:', '', ...missed.map(({ name }) => `- \`${name}\`: ${noteOn(name)}`)];
}

function noteOn(name: string): string {
  return NOTES.find(([pattern]) => pattern.test(name))?.[1] ?? 'not looked into yet.';
}

const NOTES: readonly (readonly [pattern: RegExp, note: string])[] = [];

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
    '0.15 ms for each report where the API server takes 660 status writes a second (`limit.status-writes`), 0.4 ms where it takes 272. In a profile of create ' +
      'and burst at 5,000 x 5, looks are 40 % of the work of the main thread, each of which touches all reports of an executor; reading events from the watch ' +
      'is 21 %, garbage collection 11 %. Tried and kept: few looks and one copy of each text (at 5,000 x 5 from 92 s to 14, ' +
      '[decision 8](decisions/0008-few-looks.md)), the events of 50 ms read at once (a quarter less at 1,000 x 5), a young generation of 8 MiB. Tried without ' +
      'a gain: compiling all code at once, one thread for garbage.',
  ],
  [
    /^burst\.5000x5\.(writes|lag)$|^growth\.writes/,
    'the budgets are from a machine whose API server takes 420 to 460 status writes a second; `limit.status-writes` is what this one takes. So the burst ' +
      'outlasts the grace of 60 s: pods that are overdue are told, and progress begins anew at 2 s after that turn. These are writes that a faster one has not.',
  ],
  [
    /^burst\.5000x5\.cpu-after$/,
    'for the same reason a success is held back for 10 s, and the looks and writes that end that fall into the time after the counts were right.',
  ],
  [
    /^(create|burst)\..*\.shown-p99$/,
    'progress is written 2, 4, 8 … 60 s apart (design, rule 9): what comes right after a write, late in a long burst, waits for the next one.',
  ],
  [
    /^restart\..*\.(first-write|event-loop)$/,
    'the list comes from an API server that shares the two cores: 2.6 s and 37 to 66 ms where it takes 660 status writes a second (`limit.status-writes`), 6.5 s ' +
      'and 90 ms where it takes 272. Tried and kept: looks go one by one, and a list is taken in slices of 2,000 (before, 8.1 s and 404 ms).',
  ],
  [
    /^fleet\.stand-in\.rebuilds$/,
    'the bound of 3 is for 50 pods. 1,000 pods take longer to build an edit, and more writes of progress fall into that time; `--detail=failing` has none.',
  ],
];

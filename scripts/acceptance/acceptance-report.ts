import type { TestTitle } from './test-titles.ts';

/** One line of the acceptance list. */
export interface AcceptanceId {
  /** As it stands in titles: `WP-11`, `B44`. */
  readonly id: string;
  /** A MUST blocks a release. */
  readonly level: 'MUST' | 'SHOULD';
  /** What it asks for, in a few words. */
  readonly words: string;
}

/** Two lists: the ids that stand in a title, with the files where, and those that stand in none. */
export function acceptanceReport(ids: readonly AcceptanceId[], titles: readonly TestTitle[]): string {
  const places = new Map(ids.map(({ id }) => [id, filesWith(id, titles)]));
  const tested = ids.filter(({ id }) => places.get(id)?.length !== 0);
  const open = ids.filter(({ id }) => places.get(id)?.length === 0);
  const lines = [
    'With a test:',
    ...tested.map(({ id, words }) => `  ${id.padEnd(6)} ${words}  <- ${places.get(id)?.join(', ')}`),
    '',
    'Without a test:',
    ...open.map(
      ({ id, level, words }) => `  ${id.padEnd(6)} ${words}${level === 'MUST' ? '' : ` (${level})`}`,
    ),
    '',
    `${tested.length} of ${ids.length} ids have a test; ${musts(open)} that MUST have one have none`,
    ...strangers(ids, titles),
  ];
  return `${lines.join('\n')}\n`;
}

function filesWith(id: string, titles: readonly TestTitle[]): string[] {
  const whole = new RegExp(String.raw`(?<![\w-])${id}(?![\w-])`);
  const files = titles.filter(({ title }) => whole.test(title)).map(({ path }) => path);
  return [...new Set(files)].toSorted();
}

function musts(ids: readonly AcceptanceId[]): number {
  return ids.filter(({ level }) => level === 'MUST').length;
}

/** Ids in titles that the list does not have: a misspelling hides a test. */
function strangers(ids: readonly AcceptanceId[], titles: readonly TestTitle[]): string[] {
  const known = new Set(ids.map(({ id }) => id));
  const groups = [...new Set(ids.map(({ id }) => id.replace(/\d.*$/, '')))].filter((group) =>
    group.endsWith('-'),
  );
  const like = new RegExp(String.raw`(?<![\w-])(?:${groups.join('|')})\d+(?![\w-])`, 'g');
  const unknown = titles.flatMap(({ path, title }) =>
    (title.match(like) ?? []).filter((id) => !known.has(id)).map((id) => `not in the list: ${id} in ${path}`),
  );
  return [...new Set(unknown)];
}

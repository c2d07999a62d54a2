import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPORT_REASONS, type ReportReason } from '@executor-status/api';
import {
  buildExecutor,
  type Environment,
  FAULT_CODES,
  type Outcome,
  WARNING_CODES,
  type WarningCode,
} from '@executor-status/executor';
import { emptyEnvironment, member } from '../../test/support/executor-specs.ts';
import type { GeneratedFile } from '../crds/executor-crds.ts';
import { REASON_EXAMPLES } from '../verdicts-page/reason-examples.ts';
import { WARNING_EXAMPLES, type WarningExample } from '../verdicts-page/warning-examples.ts';

const PATH = 'docs/verdicts.md';

/**
 * `docs/verdicts.md`: its tables of reasons, warnings and faults, from the code's own lists and from builds of one example
 * for each. The text around them is written by hand and stays.
 *
 * @throws {Error} if the page lacks the marks of a table, or an example gives another word than its own.
 */
export async function verdictsPage(root: string): Promise<readonly GeneratedFile[]> {
  let text = await readFile(join(root, PATH), 'utf8').catch(() => undefined);
  // A tree without the page, as in tests of other generators, has nothing to keep in step.
  if (text === undefined) return [];
  const tables = { reasons: await reasonTable(), warnings: await warningTable(), faults: faultTable() };
  for (const [name, table] of Object.entries(tables)) text = replaceTable(text, name, table);
  return [{ path: PATH, text }];
}

function replaceTable(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: made by "npm run fix" -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${PATH} lacks the lines ${begin.trim()} and ${end}`);
  return `${text.slice(0, from)}${begin}\n${table}\n${text.slice(to)}`;
}

async function reasonTable(): Promise<string> {
  const rows: string[][] = [];
  for (const reason of keysOf(REPORT_REASONS)) {
    const { spec, environment = {}, remedy } = REASON_EXAMPLES[reason];
    const outcome = await build(spec, environment);
    if (outcome.reason !== reason) throw wrongExample(reason, outcome);
    rows.push([
      `\`${reason}\``,
      REPORT_REASONS[reason],
      retried(outcome),
      remedy,
      codeOf(outcome.briefError),
    ]);
  }
  return table(['Reason', 'Meaning', 'Tried again', 'Remedy', 'Example of `briefError`'], rows);
}

function retried({ succeeded, retryable }: Outcome): string {
  if (succeeded) return 'each hour';
  return retryable ? 'soon, then less often' : 'after a change; each hour';
}

async function warningTable(): Promise<string> {
  const rows: string[][] = [];
  for (const code of keysOf(WARNING_CODES)) {
    const example = WARNING_EXAMPLES[code];
    const outcome = await build(example.spec, walking(example));
    const warning = outcome.warnings.find((one) => one.code === code);
    if (warning === undefined) throw wrongExample(code, outcome);
    rows.push([`\`${code}\``, WARNING_CODES[code], example.words, codeOf(warning.path)]);
  }
  return table(['Code', 'Meaning and remedy', 'Example', 'Where it points'], rows);
}

function walking({ path }: WarningExample): Partial<Environment> {
  if (path === undefined) return {};
  const skipped = path === 'empty folder' ? 'no files' : path;
  return { walk: (at) => Promise.resolve({ files: [], watched: [at], skipped }) };
}

function faultTable(): string {
  const rows = Object.entries(FAULT_CODES).map(([code, { cause, expected, next }]) => [
    `\`${code}\``,
    cause,
    expected,
    next,
  ]);
  return table(['Code', 'Cause', 'Expected', 'Remedy'], rows);
}

function build(spec: object, environment: Partial<Environment>): Promise<Outcome> {
  return buildExecutor(member(spec), emptyEnvironment(environment));
}

function wrongExample(word: ReportReason | WarningCode, { reason, error, warnings }: Outcome): Error {
  const codes = warnings.map(({ code }) => code).join(', ');
  return new Error(`the example for ${word} gives ${reason} (${error ?? 'no error'}), warnings: ${codes}`);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`)
    .join('');
}

function codeOf(text = ''): string {
  return text === '' ? '' : `\`${text.replaceAll('`', "'")}\``;
}

function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(record) as K[];
}

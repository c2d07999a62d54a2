import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

/**
 * Expects `text` to be that of the file `test/golden/<name>`.
 *
 * With the environment variable UPDATE_GOLDEN=1 it writes the file instead: read the change before you commit it.
 */
export async function expectGolden(name: string, text: string): Promise<void> {
  const file = fileURLToPath(new URL(`../golden/${name}`, import.meta.url));
  if (process.env['UPDATE_GOLDEN'] === '1') {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const golden = await readFile(file, 'utf8').catch(() => '(no such file)');
  expect(text, `${name}; UPDATE_GOLDEN=1 rewrites it`).to.equal(golden);
}

/** A table of kubectl with `*` for each age, and without blanks at the ends of lines. */
export function maskAges(table: string): string {
  const [header = '', ...rows] = table.split('\n');
  const found = /AGE( +|$)/.exec(header);
  if (found === null) throw new Error(`no column AGE: ${header}`);
  const [column] = found;
  const start = found.index;
  const rest = (row: string) => (column === 'AGE' ? '' : row.slice(start + column.length));
  const masked = rows.map((row) =>
    row === '' ? row : `${row.slice(0, start)}${'*'.padEnd(column.length)}${rest(row)}`,
  );
  return [header, ...masked].map((row) => row.trimEnd()).join('\n');
}

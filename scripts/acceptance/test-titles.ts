import type { ProjectFile } from '../check/project-files.ts';

/** The title of a test, a suite, a benchmark or a row of a table. */
export interface TestTitle {
  /** The file that it stands in, relative to the project's folder. */
  readonly path: string;
  readonly title: string;
}

/** Every title in the test files, benchmarks and soak scripts among `files`. A test that is skipped has none. */
export function testTitles(files: readonly ProjectFile[]): TestTitle[] {
  return files
    .filter(({ path }) => TEST_FILE.test(path))
    .flatMap(({ path, text }) => titlesIn(text).map((title) => ({ path, title })));
}

const TEST_FILE = /\.test\.ts$|^test\/(?:bench|soak|cluster)\/.*\.ts$/;

const TEXT = String.raw`(['"\`])(?<title>(?:\\.|(?!\1)[^\\])*)\1`;
/** `describe('…`, `it(\`…`, but not `it.skip('…`. */
const CALL = new RegExp(String.raw`\b(?:describe|it|bench)(?:\.only)?\(\s*${TEXT}`, 'gs');
/** `'…': {`, a row of a table whose keys are sentences. */
const KEY = new RegExp(String.raw`(?<=[{,]\s*)${TEXT}(?=\s*:)`, 'gs');
/** `name: '…'`, a row that carries its sentence. */
const FIELD = new RegExp(String.raw`\b(?:id|name|title)\s*:\s*${TEXT}`, 'gs');

function titlesIn(text: string): string[] {
  const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [CALL, KEY, FIELD].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(({ groups }) => groups?.['title'] ?? ''),
  );
}

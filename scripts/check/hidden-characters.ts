import type { ProjectFile } from './project-files.ts';

/**
 * Every place with a character that shows nothing or changes the order of what is shown: bidirectional controls, zero-width
 * characters, tags, soft hyphens, byte order marks. Where a test needs one it is written as an escape.
 */
export function hiddenCharacters(files: readonly ProjectFile[]): string[] {
  return files
    .filter(({ path }) => !RECORDED.some((folder) => path.startsWith(folder)))
    .flatMap(({ path, text }) => text.split('\n').flatMap((line, at) => inLine(line, `${path}:${at + 1}`)));
}

/** Recorded as they are, odd characters included. */
const RECORDED = ['test/fixtures/vectors/'];

function inLine(line: string, place: string): string[] {
  return [...line.matchAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu)].map(({ 0: char, index }) => {
    const point = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `${place}:${index + 1}: hidden character U+${point}: remove it, or write it as an escape`;
  });
}

/** One import of a source file. */
export interface Import {
  /** As it is written: `rxjs`, `node:fs`, `./store.ts`. */
  readonly from: string;
  /** `type` leaves nothing at run time, `lazy` is an `import()`, `eager` runs when the file is loaded. */
  readonly kind: 'type' | 'lazy' | 'eager';
}

/** Every import and re-export in the text of a TypeScript file. */
export function importsOf(text: string): Import[] {
  const code = withoutComments(text);
  const eager = [...code.matchAll(STATEMENT)].map(({ groups }): Import => {
    return { from: groups?.['from'] ?? '', kind: groups?.['type'] === undefined ? 'eager' : 'type' };
  });
  const lazy = [...code.matchAll(CALL)].map(({ groups }): Import => {
    return { from: groups?.['from'] ?? '', kind: 'lazy' };
  });
  return [...eager, ...lazy];
}

/** The text without its comments. A `//` inside a text, as in a URL, stays. */
export function withoutComments(text: string): string {
  return text.replace(/^\s*\/?\*.*$/gm, '').replace(/(^|[\s;{}(,])\/\/.*$/gm, '$1');
}

const STATEMENT =
  /^\s*(?:import|export)\s+(?<type>type\s+)?(?:[\w*{][^'"`;()=]*?\bfrom\s*)?['"](?<from>[^'"]+)['"]/gm;
/** A call, and not the type `import('…').Name`. */
const CALL = /\bimport\(\s*['"](?<from>[^'"]+)['"]\s*\)(?!\.[A-Z])/g;

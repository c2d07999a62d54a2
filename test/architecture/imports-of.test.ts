import { expect } from 'chai';
import { importsOf, withoutComments } from './imports-of.ts';

describe('importsOf', () => {
  const cases: Record<string, { text: string; want: [string, string][] }> = {
    'one name': { text: "import { a } from 'x';", want: [['x', 'eager']] },
    'names on several lines': {
      text: "import {\n  a,\n  type B,\n} from './b.ts';",
      want: [['./b.ts', 'eager']],
    },
    'types only': {
      text: "import type { A } from 'x';\nexport type { B } from 'y';",
      want: [
        ['x', 'type'],
        ['y', 'type'],
      ],
    },
    'a namespace, a default, an effect': {
      text: "import * as a from 'x';\nimport b from 'y';\nimport 'z';",
      want: [
        ['x', 'eager'],
        ['y', 'eager'],
        ['z', 'eager'],
      ],
    },
    're-exports': {
      text: "export { a } from 'x';\nexport * from 'y';",
      want: [
        ['x', 'eager'],
        ['y', 'eager'],
      ],
    },
    'a lazy one': { text: "const { a } = await import('x');", want: [['x', 'lazy']] },
    'no type that is written as one': { text: "type A = import('x').A;", want: [] },
    'none in comments': {
      text: "// import { a } from 'x';\n/**\n * import { b } from 'y';\n */\n",
      want: [],
    },
    'no plain exports': {
      text: "export const a = 'x';\nexport function b() {}\nconst c = ['from', 'y'];",
      want: [],
    },
  };
  for (const [name, { text, want }] of Object.entries(cases)) {
    it(`finds ${name}`, () => {
      expect(importsOf(text).map(({ from, kind }) => [from, kind])).to.deep.equal(want);
    });
  }
});

describe('withoutComments', () => {
  it('keeps what looks like a comment inside a text', () => {
    expect(withoutComments("const a = 'https://x'; // y")).to.equal("const a = 'https://x'; ");
  });
});

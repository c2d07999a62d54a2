import { expect } from 'chai';
import { parseDemoArguments } from './arguments.ts';
import { DemoUsageError } from './demo-error.ts';

describe('parseDemoArguments', () => {
  it('takes the examples and five pods when nothing is said', () => {
    expect(parseDemoArguments([])).to.deep.equal({ files: [], pods: 5, keep: false });
  });

  it('takes files and options in any order', () => {
    expect(parseDemoArguments(['a.yaml', '--pods', '7', 'b.yaml', '--keep'])).to.deep.equal({
      files: ['a.yaml', 'b.yaml'],
      pods: 7,
      keep: true,
    });
  });

  const refused: Record<string, { argv: string[]; says: RegExp }> = {
    'a number of pods that is none': { argv: ['--pods', 'many'], says: /--pods takes a whole number/ },
    'fewer pods than the story needs': { argv: ['--pods', '3'], says: /from 4 to 50/ },
    'an option that does not exist': { argv: ['--pod', '5'], says: /'--pod'/ },
  };
  for (const [name, { argv, says }] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      expect(() => parseDemoArguments(argv)).to.throw(DemoUsageError, says);
    });
  }
});

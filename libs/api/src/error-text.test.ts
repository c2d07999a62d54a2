import { expect } from 'chai';
import { errorText } from './error-text.ts';

describe('errorText', () => {
  const circle = new Error('round');
  circle.cause = new Error('and round', { cause: circle });
  const holder: Record<string, unknown> = {};
  holder['self'] = holder;

  const cases: Record<string, { thrown: unknown; want: string }> = {
    'an error as its message': { thrown: new Error('no'), want: 'no' },
    'a chain as all messages': {
      thrown: new Error('cannot build', { cause: new Error('cannot read', { cause: new Error('no file') }) }),
      want: 'cannot build: cannot read: no file',
    },
    'a cause that the message tells already, once': {
      thrown: new Error('cannot read: no file', { cause: new Error('no file') }),
      want: 'cannot read: no file',
    },
    'an error without a message as its name': { thrown: new TypeError(), want: 'TypeError' },
    'several errors together': {
      thrown: new AggregateError([new Error('a'), new Error('b', { cause: 'c' })], 'all failed'),
      want: 'all failed: a; b: c',
    },
    'several errors without a message of their own': {
      thrown: new Error('no answer', { cause: new AggregateError([new Error('a'), new Error('b')]) }),
      want: 'no answer: a; b',
    },
    'no errors together': { thrown: new AggregateError([]), want: 'AggregateError' },
    'a text as itself': { thrown: 'no', want: 'no' },
    'a value as JSON': { thrown: { code: 1 }, want: '{"code":1}' },
    'nothing at all': { thrown: undefined, want: 'undefined' },
    'what JSON cannot tell': {
      thrown: holder,
      want: 'something that is neither an Error nor JSON was thrown',
    },
    'a circle of causes, with an end': { thrown: circle, want: 'round: and round' },
  };
  for (const [name, { thrown, want }] of Object.entries(cases)) {
    it(`tells ${name}`, () => {
      expect(errorText(thrown)).to.equal(want);
    });
  }

  it('ends a circle whose texts differ', () => {
    const one = new Error('1');
    one.cause = new AggregateError([one, one], '2');
    expect(errorText(one).length).to.be.lessThan(100_000);
  });
});

import { expect } from 'chai';
import { decodeBase64 } from './base64.ts';
import { nextPem, toBytes } from './pem.ts';

const BLOCK = '-----BEGIN A-----\nAAAA\n-----END A-----\n';

describe('nextPem', () => {
  const cases: Record<string, [string, string]> = {
    'finds a block': [BLOCK, 'A:3 rest 0'],
    'finds a block without a final line break': [BLOCK.trimEnd(), 'A:3 rest 0'],
    'skips text before it': [`hello\n${BLOCK}`, 'A:3 rest 0'],
    'leaves what is behind it': [`${BLOCK}tail`, 'A:3 rest 4'],
    'takes CRLF': [BLOCK.replaceAll('\n', '\r\n'), 'A:3 rest 0'],
    'takes blanks behind a line': [BLOCK.replaceAll('\n', ' \t\n'), 'A:3 rest 0'],
    'takes an empty block': ['-----BEGIN A-----\n-----END A-----\n', 'A:0 rest 0'],
    'takes headers': ['-----BEGIN A-----\nx: y\n\nAAAA\n-----END A-----\n', 'A:3+headers rest 0'],
    'begins with the last BEGIN before an END': [`-----BEGIN B-----\n${BLOCK}`, 'A:3 rest 0'],
    'passes over a block that is no base64': [
      `-----BEGIN A-----\n!\n-----END A-----\n${BLOCK}`,
      'A:3 rest 0',
    ],
    'passes over an END of another label': [
      `-----BEGIN B-----\nAAAA\n-----END C-----\n${BLOCK}`,
      'A:3 rest 0',
    ],
    'wants BEGIN at the start of a line': [` ${BLOCK}`, 'none'],
    'wants no byte order mark before BEGIN': [`\ufeff${BLOCK}`, 'none'],
    'takes a byte order mark on a line of its own': [`\ufeff\n${BLOCK}`, 'A:3 rest 0'],
    'wants line breaks, not CR alone': [BLOCK.replaceAll('\n', '\r'), 'none'],
    'wants five dashes': [BLOCK.replaceAll('-----', '------'), 'none'],
    'wants nothing behind END': [BLOCK.replace('END A-----', 'END A----- x'), 'none'],
    'finds nothing in a word': ['hello', 'none'],
  };
  for (const [name, [text, want]] of Object.entries(cases)) {
    it(name, () => {
      const { block, rest } = nextPem(toBytes(text));
      const found =
        block &&
        `${block.label}:${block.bytes.length}${block.hasHeaders ? '+headers' : ''} rest ${rest.length}`;
      expect(found ?? 'none').to.equal(want);
    });
  }

  it('reads a text of many ends once', () => {
    const text = '\n-----END '.repeat(100_000);
    const before = process.cpuUsage().user;
    expect(nextPem(text).block).to.equal(undefined);
    expect(process.cpuUsage().user - before).to.be.below(1_000_000);
  });
});

describe('decodeBase64', () => {
  const cases: Record<string, [string, number | undefined]> = {
    'takes padding': ['AA==', 1],
    'takes line breaks anywhere': ['A\r\nA=\n=', 1],
    'takes nothing': ['', 0],
    'refuses missing padding': ['AA', undefined],
    'refuses blanks': ['AA ==', undefined],
    'refuses the other alphabet': ['__--', undefined],
    'refuses text behind padding': ['AA==AAAA', undefined],
    'refuses padding alone': ['====', undefined],
  };
  for (const [name, [text, want]] of Object.entries(cases)) {
    it(name, () => expect(decodeBase64(text)?.length).to.equal(want));
  }
});

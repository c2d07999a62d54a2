import { expect } from 'chai';
import fc from 'fast-check';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { boundBriefError, boundError, boundText, cleanText, encodedBytes } from './bounded-text.ts';

const RUNS = 100_000;

describe('cleanText', () => {
  const cases: Record<string, { text: string; want: string }> = {
    'leaves plain text alone': {
      text: 'x509: no "CA" in /etc/a, ünïcödé 漢字 🦊',
      want: 'x509: no "CA" in /etc/a, ünïcödé 漢字 🦊',
    },
    'puts lines on one': { text: ' a\r\n\tb\n\n c\u2028d\u2029e\u00a0f ', want: 'a b c d e f' },
    'takes NUL and other controls for blanks': { text: 'a\u0000b\u0007c\u007fd\u0085e', want: 'a b c d e' },
    'drops colours and cursor moves': {
      text: '\u001b[1;31mred\u001b[0m \u001b[2Jx\u001b[?25l',
      want: 'red x',
    },
    'drops a colour in the 8-bit form': { text: '\u009b31mred\u009b0m', want: 'red' },
    'drops a link, keeping its text': {
      text: '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u0007 \u009d0;title\u009cx',
      want: 'click x',
    },
    'drops a window title that never ends, up to the end of its line': {
      text: 'a \u001b]0;title\nb',
      want: 'a b',
    },
    'drops an escape at the end': { text: 'a\u001b', want: 'a' },
    'drops an escape of an escape': { text: 'a\u001b\u001b[31mb', want: 'ab' },
    'replaces a lone surrogate as Go does': { text: 'a\ud800b\udc00', want: 'a\ufffdb\ufffd' },
    'keeps a pair of surrogates': { text: '\ud83e\udd8a', want: '🦊' },
  };
  for (const [name, { text, want }] of Object.entries(cases)) {
    it(`WP-11 ${name}`, () => {
      expect(cleanText(text)).to.equal(want);
    });
  }

  const invisible: Record<string, string> = {
    'a zero-width space': '\u200b',
    'a zero-width joiner': '\u200d',
    'a zero-width non-joiner': '\u200c',
    'a word joiner': '\u2060',
    'a byte order mark': '\ufeff',
    'a soft hyphen': '\u00ad',
    'a left-to-right mark': '\u200e',
    'a right-to-left mark': '\u200f',
    'an Arabic letter mark': '\u061c',
    'an embedding': '\u202a',
    'an override': '\u202e',
    'the end of an override': '\u202c',
    'an isolate': '\u2066',
    'the end of an isolate': '\u2069',
    'a language tag': '\u{e0041}',
    'a variation selector': '\ufe0f',
    'a variation selector of the supplement': '\u{e0100}',
    'a combining grapheme joiner': '\u034f',
    'a Hangul filler': '\u3164',
    'a Mongolian vowel separator': '\u180e',
    'an interlinear annotation': '\ufff9',
  };
  for (const [name, char] of Object.entries(invisible)) {
    it(`PR10 removes ${name}`, () => {
      expect(cleanText(`ad${char}min`)).to.equal('admin');
    });
  }
});

describe('boundText', () => {
  const cases: Record<string, { text: string; maxBytes: number; want: string }> = {
    'leaves what fits': { text: '12345', maxBytes: 5, want: '12345' },
    'ends what it cut in an ellipsis': { text: '123456', maxBytes: 5, want: '12…' },
    'counts bytes, not characters': { text: 'äöü', maxBytes: 5, want: 'ä…' },
    'cuts between code points': { text: '🦊🦊', maxBytes: 7, want: '🦊…' },
    'gives up a code point that does not fit': { text: '🦊🦊', maxBytes: 6, want: '…' },
    'gives the ellipsis alone when nothing else fits': { text: 'abcd', maxBytes: 3, want: '…' },
    'leaves no blank before the ellipsis': { text: 'ab  cdefgh', maxBytes: 6, want: 'ab…' },
    'bounds what is left after cleaning': { text: '\u001b[31mabcde\u001b[0m', maxBytes: 5, want: 'abcde' },
    'marks a cut of what it did not read': { text: `ab${'\u200b'.repeat(100)}cd`, maxBytes: 5, want: 'ab…' },
    'gives nothing for nothing': { text: '', maxBytes: 5, want: '' },
    'does not split a pair where it stops reading': {
      text: `${'\u200b'.repeat(39)}🦊`,
      maxBytes: 5,
      want: '…',
    },
  };
  for (const [name, { text, maxBytes, want }] of Object.entries(cases)) {
    it(`WP-11 ${name}`, () => {
      expect(boundText(text, maxBytes)).to.equal(want);
    });
  }

  it('WP-11 gives 100,000 random strings as bounded, clean UTF-8 that comes back as it was sent', () => {
    const next = randomTexts(11);
    for (let run = 0; run < RUNS; run++) {
      const text = next();
      const fault = faultOf(boundError(text), 4096) ?? faultOf(boundBriefError(text), 123);
      if (fault !== undefined) expect.fail(`run ${run}: ${fault}: ${JSON.stringify(text)}`);
    }
  }).timeout(60_000);

  it('WP-11 bounds any text to any length, and bounding twice changes nothing', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 300 }), (text, maxBytes) => {
        const once = boundText(text, maxBytes);
        expect(faultOf(once, maxBytes)).to.equal(undefined);
        expect(boundText(once, maxBytes)).to.equal(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('WP-11 keeps the beginning, where the root cause stands', () => {
    const brief = boundBriefError(`no such host: ${'x'.repeat(500)}`);
    expect(brief).to.match(/^no such host: x+…$/);
    expect(Buffer.byteLength(brief)).to.equal(123);
  });

  it('takes a text of 100 MB', () => {
    expect(Buffer.byteLength(boundError('x\u200b'.repeat(5e7)))).to.equal(4096);
  });
});

describe('encodedBytes', () => {
  const cases: Record<string, { value: unknown; want: number }> = {
    'plain text with its quotes': { value: 'abc', want: 5 },
    'characters that the API server escapes, with six bytes each': { value: '<&>', want: 2 + 18 },
    'line separators with six bytes each': { value: '\u2028\u2029', want: 2 + 12 },
    'emoji with four bytes': { value: '🦊', want: 2 + 4 },
    'an object': { value: { a: [1, '<'] }, want: '{"a":[1,"\\u003c"]}'.length },
    'nothing for nothing': { value: undefined, want: 0 },
  };
  for (const [name, { value, want }] of Object.entries(cases)) {
    it(`SC-4 counts ${name}`, () => {
      expect(encodedBytes(value)).to.equal(want);
    });
  }
});

/** What is wrong with a bounded text; `undefined` when nothing is. */
function faultOf(text: string, maxBytes: number): string | undefined {
  if (Buffer.byteLength(text) > maxBytes) return 'too long';
  if (!text.isWellFormed()) return 'a lone surrogate';
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return 'a control or invisible character';
  if (text !== text.trim()) return 'a blank at an end';
  if (Buffer.from(text, 'utf8').toString('utf8') !== text) return 'not what was sent, as UTF-8';
  const readBack: unknown = JSON.parse(Buffer.from(JSON.stringify({ text }), 'utf8').toString('utf8'));
  return JSON.stringify(readBack) === JSON.stringify({ text }) ? undefined : 'not what was sent, as JSON';
}

/** Random texts of what breaks text: lone surrogates, NUL, terminal sequences, emoji, invisible characters, long runs. */
function randomTexts(seed: number): () => string {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const parts: readonly (() => string)[] = [
    () => String.fromCharCode(0xd800 + below(0x800)),
    () => String.fromCharCode(below(32)),
    () => String.fromCodePoint(below(0x110000)),
    () => ['\u001b[31m', '\u001b]0;x', '\u001b', '\u009b', '\u001b[', '[0m', '\u0007'][below(7)] ?? '',
    () => ['\u200b', '\u202e', '\ufeff', '\u2066', '\u{e0041}', '\u200d', '\ufe0f'][below(7)] ?? '',
    () => ['🦊', '漢', 'ä', 'é', '<', '&', '"', '\\', ' '][below(9)] ?? '',
    () => 'error: no such file or directory ',
    () => 'x'.repeat(below(60)),
    () => '漢🦊'.repeat(below(20)),
  ];
  return () => {
    const size = below(100) === 0 ? 400 : below(12);
    return Array.from({ length: size }, () => parts[below(parts.length)]?.() ?? '').join('');
  };
}

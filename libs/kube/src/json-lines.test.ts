import { expect } from 'chai';
import fc from 'fast-check';
import { jsonLines } from './json-lines.ts';

describe('jsonLines', () => {
  it('gives each value once, wherever the bytes are cut', async () => {
    const values = fc.array(fc.record({ text: fc.string({ unit: 'binary' }), deep: fc.jsonValue() }), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(values, fc.array(fc.nat(40), { minLength: 1 }), async (wanted, sizes) => {
        const plain = wanted.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        const bytes = Buffer.from(plain.map((value) => `${JSON.stringify(value)}\n`).join(''));
        expect(await all(jsonLines(cut(bytes, sizes)))).to.deep.equal(plain);
      }),
    );
  });

  it('keeps a character whole whose bytes come one by one', async () => {
    const bytes = Buffer.from('{"a":"é🙂\u2028\u2029"}\n');
    expect(await all(jsonLines(cut(bytes, [1])))).to.deep.equal([{ a: 'é🙂\u2028\u2029' }]);
  });

  it('takes a last line without an end, and skips blank ones', async () => {
    expect(await all(jsonLines(cut(Buffer.from('\n1\n\n2'), [2])))).to.deep.equal([1, 2]);
  });

  it('takes a line of 20 MB', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(20_000_000) });
    const [value] = await all(jsonLines(cut(Buffer.from(`${long}\n`), [65_536])));
    expect(JSON.stringify(value).length).to.equal(long.length);
  });

  const broken: Record<string, Buffer> = {
    'is not JSON': Buffer.from('{"a":secret}\n'),
    'was cut off by the end': Buffer.from('{"a":"sec'),
    'has a broken character': Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}\n')]),
    'never ends': Buffer.from('x'.repeat(200)),
  };
  for (const [name, bytes] of Object.entries(broken)) {
    it(`B15: ends with an error at a line that ${name}, after all lines before it, and does not quote it`, async () => {
      const seen: unknown[] = [];
      const failure = await all(
        jsonLines(cut(Buffer.concat([Buffer.from('1\n'), bytes]), [7]), 100),
        seen,
      ).catch((error: unknown) => error);
      expect(seen).to.deep.equal([1]);
      expect(failure).to.be.instanceOf(SyntaxError);
      expect(String(failure)).to.not.contain('sec');
    });
  }
});

async function all(values: AsyncIterable<unknown>, seen: unknown[] = []): Promise<unknown[]> {
  for await (const value of values) seen.push(value);
  return seen;
}

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (let n = 0; from < bytes.length; n += 1) {
    const size = (sizes[n % sizes.length] ?? 0) + (sizes.every((one) => one === 0) ? 1 : 0);
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

interface Arrived {
  readonly chunk: Buffer;
  readonly at: number;
}

/** The chunks of a stream, each `ms` milliseconds after it came. */
export async function* lagging(chunks: AsyncIterable<Buffer>, ms: number): AsyncGenerator<Buffer> {
  if (ms === 0) return yield* chunks;
  const arrived: Arrived[] = [];
  let failure: unknown;
  let over = false;
  let wake = () => undefined as void;
  const read = async () => {
    for await (const chunk of chunks) {
      arrived.push({ chunk, at: performance.now() });
      wake();
    }
  };
  void read()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      over = true;
      wake();
    });
  for (;;) {
    for (let next = arrived.shift(); next !== undefined; next = arrived.shift()) {
      await sleep(Math.max(0, next.at + ms - performance.now()));
      yield next.chunk;
    }
    if (over) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  if (failure !== undefined) throw new Error('the stream broke', { cause: failure });
}

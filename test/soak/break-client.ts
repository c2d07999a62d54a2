import type { ByteStream, KubeClient, KubeRequest } from '@executor-status/kube';

/** How a client is broken on purpose, to see that a test finds it. */
export type Breakage = 'resume skipped' | 'delete ignored' | 'retry removed';

/**
 * A client that is wrong in one way: it goes on from now instead of from where it was, loses deletions, or never comes
 * back after a failure.
 */
export function breakClient(client: KubeClient, breakage: Breakage): KubeClient {
  const open = OPENERS[breakage](client);
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'open') return open;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

type Open = KubeClient['open'];

const OPENERS: Readonly<Record<Breakage, (client: KubeClient) => Open>> = {
  'resume skipped': (client) => (request) => {
    const { resourceVersion: _, ...query } = request.query ?? {};
    return client.open({ ...request, query });
  },
  'delete ignored': (client) => async (request) => {
    const stream = await client.open(request);
    return { ...stream, chunks: withoutDeletions(stream.chunks) };
  },
  'retry removed': (client) => {
    let failed = false;
    return async (request) => {
      if (failed) return silence(request);
      try {
        const { chunks, pinged } = await client.open(request);
        return { chunks: noting(chunks, () => (failed = true)), pinged };
      } catch (error) {
        failed = true;
        throw error;
      }
    };
  },
};

async function* withoutDeletions(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + Buffer.from(chunk).toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    const kept = lines.filter((line) => !line.startsWith('{"type":"DELETED"'));
    yield Buffer.from(kept.map((line) => `${line}\n`).join(''));
  }
  if (rest !== '') yield Buffer.from(rest);
}

async function* noting(chunks: AsyncIterable<Uint8Array>, broke: () => unknown): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    broke();
    throw error;
  }
}

/** A stream that says nothing until it is left. */
function silence({ signal }: KubeRequest): ByteStream {
  const { promise, reject } = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => reject(new Error('left')), { once: true });
  const next = () => promise;
  return { chunks: { [Symbol.asyncIterator]: () => ({ next }) }, pinged: true };
}

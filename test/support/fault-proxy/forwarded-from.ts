import type { Message } from './entrance.ts';
import type { Forwarded } from './upstream.ts';

/** Reads a client's request to its end; `undefined` if that does not come. */
export async function forwardedFrom(message: Message): Promise<Forwarded | undefined> {
  const { method = 'GET', url = '/', headers } = message;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message) chunks.push(Buffer.from(chunk));
  } catch {
    return undefined; // Cut off: there is nobody left to answer.
  }
  return { method, url, headers: passedOn(headers), body: Buffer.concat(chunks) };
}

/** What the API server is to know; the rest belongs to the client's connection. */
function passedOn(headers: Message['headers']): Record<string, string> {
  return Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

const PASSED = ['accept', 'authorization', 'content-type', 'user-agent'];

import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import type { ApiAccess } from '../support/control-plane/api-client.ts';

/** One request of a load. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly contentType: string;
  readonly body: unknown;
}

/** What came back: the text only where somebody reads it. */
export interface LoadAnswer {
  readonly code: number;
  readonly text: string;
}

/** A client with a single HTTP/2 connection: cheap enough to fill an API server from one core. */
export class Http2Client {
  readonly #connect: () => ClientHttp2Session;
  readonly #headers: Readonly<Record<string, string>>;
  #session: ClientHttp2Session;

  constructor({ url, ca, client }: ApiAccess) {
    const identity = 'token' in client ? {} : { cert: client.certificate, key: client.key };
    this.#connect = () => {
      const session = connect(url, { ca, ...identity });
      // A request that is under way fails too, and says what it was.
      return session.on('error', () => {});
    };
    this.#session = this.#connect();
    this.#headers = {
      accept: 'application/json',
      'user-agent': 'load-generator',
      ...('token' in client && { authorization: `Bearer ${client.token}` }),
    };
  }

  /** Sends one request. An answer with an error status is an answer. */
  async send({ method, path, contentType, body }: LoadRequest): Promise<LoadAnswer> {
    // The API server closes a connection on which nothing was asked for some minutes.
    if (this.#session.closed || this.#session.destroyed) this.#session = this.#connect();
    const stream = this.#session.request({
      ':method': method,
      ':path': path,
      ...this.#headers,
      'content-type': contentType,
    });
    stream.end(JSON.stringify(body));
    const [code, answer] = await Promise.all([codeOf(stream), text(stream)]);
    return { code, text: answer };
  }

  close(): void {
    this.#session.destroy();
  }
}

function codeOf(stream: ClientHttp2Stream): Promise<number> {
  return new Promise((resolve, reject) => {
    stream.once('response', (headers) => resolve(headers[':status'] ?? 0));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('the connection ended before the answer')));
  });
}

/** Runs `work` on each of `jobs`, `inFlight` at a time, in their order. */
export async function eachInFlight<T>(
  jobs: readonly T[],
  inFlight: number,
  work: (job: T) => Promise<void>,
): Promise<void> {
  const rest = jobs.values();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (const job of rest) await work(job);
    }),
  );
}

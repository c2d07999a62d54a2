import type { Dispatcher } from 'undici';
import type { Clock } from './clock.ts';
import type { Connection, Credentials } from './credentials.ts';
import { newDispatcher } from './dispatcher.ts';

/** One request as it goes over the wire. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's address, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
  /** Asked right before each sending. */
  readonly mayStill?: (() => boolean) | undefined;
}

/** A request that was not to be sent any more when its turn came. */
export class WithheldError extends Error {
  override readonly name = 'WithheldError';

  constructor() {
    super('it was not to be sent any more');
  }
}

/** The head of an answer; its body is still to be read, or dumped. */
export type WireAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

/** What {@link Transport} needs. */
export interface TransportOptions {
  readonly credentials: Credentials;
  readonly pingIntervalMs: number;
  readonly clock: Clock;
}

/**
 * Sends requests over one shared pool of connections. The pool is replaced when what a connection needs has changed (a
 * rotated CA or client certificate); streams on the old one go on. A request that is answered 401 goes out once more,
 * with credentials read anew.
 */
export class Transport {
  readonly #credentials: Credentials;
  readonly #clock: Clock;
  readonly #pingIntervalMs: number;
  readonly #pools = new Set<Dispatcher>();
  #pool: Dispatcher | undefined;
  #connection: Connection | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor({ credentials, pingIntervalMs, clock }: TransportOptions) {
    this.#credentials = credentials;
    this.#pingIntervalMs = pingIntervalMs;
    this.#clock = clock;
  }

  /** Rejects with whatever went wrong on the way, or a {@link WithheldError}; an answer of any status is an answer. */
  async send(request: WireRequest): Promise<WireAnswer> {
    const { answer, proof } = await this.#sendOnce(request);
    if (answer.statusCode !== 401) return answer;
    await answer.body.dump();
    this.#credentials.renew(proof);
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    return (await this.#sendOnce(request)).answer;
  }

  /** Ends all connections; running requests fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#pools].map((pool) => pool.destroy()));
  }

  async #sendOnce({ method, path, headers, body, signal, mayStill }: WireRequest): Promise<Sent> {
    const { server } = this.#credentials;
    const pool = await this.#current();
    const proof = await this.#credentials.headers();
    const request = {
      origin: server.origin,
      path: `${server.pathname.replace(/\/$/, '')}${path}`,
      method,
      headers: { ...headers, ...proof },
      signal,
    };
    if (mayStill?.() === false) throw new WithheldError();
    try {
      return { answer: await pool.request({ ...request, ...(body !== undefined && { body }) }), proof };
    } catch (error) {
      // It may be the certificate: look at once, when the caller comes back.
      this.#checkedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  async #current(): Promise<Dispatcher> {
    if (this.#closed) throw new Error('the client is closed');
    if (this.#pool !== undefined && this.#clock.now() - this.#checkedAt < CHECK_MS) return this.#pool;
    const connection = await this.#credentials.connection();
    // It may have been closed meanwhile: then nobody would end a new pool.
    if (this.#closed) throw new Error('the client is closed');
    this.#checkedAt = this.#clock.now();
    // Another call may have come here meanwhile, and found the same.
    if (this.#pool !== undefined && isSame(connection, this.#connection)) return this.#pool;
    return this.#replace(connection);
  }

  #replace(connection: Connection): Dispatcher {
    const old = this.#pool;
    const pool = newDispatcher(connection, this.#pingIntervalMs);
    this.#pools.add(pool);
    this.#pool = pool;
    this.#connection = connection;
    if (old !== undefined) void this.#retire(old);
    return pool;
  }

  /** Takes no new requests, and ends when the last one has ended. */
  async #retire(pool: Dispatcher): Promise<void> {
    // A pool that cannot be closed in good order is being destroyed already.
    await pool.close().catch(() => undefined);
    this.#pools.delete(pool);
  }
}

interface Sent {
  readonly answer: WireAnswer;
  /** The headers that said who we are. */
  readonly proof: Readonly<Record<string, string>>;
}

/** How often the files behind a connection are looked at, in milliseconds; and always after a failure. */
const CHECK_MS = 10_000;

const isSame = (a: Connection, b: Connection | undefined) => JSON.stringify(a) === JSON.stringify(b);

import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import type { Writable } from 'node:stream';
import type { Response } from './entrance.ts';
import type { Refusal } from './refusal.ts';

/** The answer to one request of a client, over HTTP/1.1 or HTTP/2. */
export class Answer {
  readonly #response: Response;
  /** The same, as both protocols know it. */
  readonly #bytes: Writable;
  /** Aborted when the client's side of the stream is closed, whoever closed it. */
  readonly #closed = new AbortController();

  #passed = 0;

  constructor(response: Response) {
    this.#response = response;
    this.#bytes = response;
    this.#bytes.on('error', () => undefined); // 'close' follows.
    this.#bytes.on('close', () => this.#closed.abort());
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** How many bytes of the body have passed. */
  get bytes(): number {
    return this.#passed;
  }

  /** Starts it. */
  begin(code: number, headers: Readonly<Record<string, string>>): void {
    if (this.closed.aborted) return;
    if (this.#response instanceof ServerResponse) {
      this.#response.writeHead(code, headers);
      // HTTP/1.1 waits for the first byte, which a watch may not have for long.
      this.#response.flushHeaders();
    } else this.#response.writeHead(code, headers);
  }

  /** Sends bytes, and waits while the client does not take them. */
  async pass(bytes: Buffer): Promise<void> {
    this.#passed += bytes.length;
    if (this.closed.aborted || this.#bytes.write(bytes)) return;
    await once(this.#bytes, 'drain', { signal: this.closed }).catch(() => undefined); // It has gone.
  }

  /** The end in good order. */
  end(): void {
    if (!this.closed.aborted) this.#bytes.end();
  }

  /** The end of the stream by an error. */
  cut(): void {
    if (this.closed.aborted) return;
    if (this.#response instanceof ServerResponse) this.#response.socket?.destroy();
    else this.#response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  refuse({ code, headers, body }: Refusal): void {
    this.begin(code, headers);
    if (!this.closed.aborted) this.#bytes.end(body);
  }

  /** Tells the client to take another connection for what comes next. Over HTTP/1.1, after this answer. */
  goAway(): void {
    if (this.#response instanceof ServerResponse) this.#response.setHeader('connection', 'close');
    else this.#response.stream.session?.goaway(constants.NGHTTP2_NO_ERROR);
  }
}

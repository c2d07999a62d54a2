import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';

/** Where the API server is, and whom to trust. */
export interface Target {
  /** `https://127.0.0.1:6443`. */
  readonly url: string;
  /** The authority's certificate, PEM. */
  readonly ca: string;
}

/** A request for the API server. */
export interface Forwarded {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The head of its answer, and the stream with the rest. */
export interface UpstreamAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: ClientHttp2Stream;
}

/** Connections to the API server over HTTP/2: one for each connection of a client, as if there were no proxy. */
export class Upstream {
  readonly #target: Target;
  readonly #sessions = new Map<number, ClientHttp2Session>();
  readonly #lost: (connection: number) => void;

  /** @param lost - called with a client's connection when the API server closed what belongs to it. */
  constructor(target: Target, lost: (connection: number) => void) {
    this.#target = target;
    this.#lost = lost;
  }

  /** Sends a request. Rejects when no answer comes. */
  async send(connection: number, { method, url, headers, body }: Forwarded): Promise<UpstreamAnswer> {
    const session = this.#session(connection);
    const stream = session.request({ ':method': method, ':path': url, ...headers }, { endStream: false });
    stream.end(body);
    return new Promise((resolve, reject) => {
      stream.once('response', (received) => resolve({ ...headOf(received), stream }));
      stream.on('error', reject);
      stream.on('close', () => reject(new Error('the API server closed the stream')));
    });
  }

  /** The client has closed its connection. */
  forget(connection: number): void {
    this.#sessions.get(connection)?.destroy();
    this.#sessions.delete(connection);
  }

  close(): void {
    for (const connection of this.#sessions.keys()) this.forget(connection);
  }

  #session(connection: number): ClientHttp2Session {
    const known = this.#sessions.get(connection);
    // One that was told to go away takes no more requests.
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const { url, ca } = this.#target;
    const session = connect(url, { ca, settings: { enablePush: false } });
    this.#sessions.set(connection, session);
    let announced = false;
    session.on('goaway', () => {
      announced = true;
    });
    session.on('error', () => undefined); // 'close' follows.
    session.on('close', () => {
      if (this.#sessions.get(connection) !== session) return;
      this.#sessions.delete(connection);
      if (!announced) this.#lost(connection);
    });
    return session;
  }
}

function headOf(received: IncomingHttpHeaders & IncomingHttpStatusHeader) {
  const headers = Object.entries(received).flatMap(([name, value]) =>
    name.startsWith(':') || value === undefined ? [] : [[name, String(value)]],
  );
  return { code: received[':status'] ?? 502, headers: Object.fromEntries(headers) as Record<string, string> };
}

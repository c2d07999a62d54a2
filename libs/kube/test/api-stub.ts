import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import type { Server as TlsServer } from 'node:tls';
import { type Authority, newAuthority } from '../../../test/support/control-plane/certificates.ts';
import { createKubeClient, type KubeClientOptions } from '../src/create-kube-client.ts';
import type { Credentials } from '../src/credentials.ts';
import type { KubeClient } from '../src/kube-client.ts';
import { listen, portOf, TcpFront } from './tcp-front.ts';

/** One request that the stub got. */
export interface StubRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Http2ServerRequest['headers'];
  readonly body: string;
  /** `2.0` or `1.1`. */
  readonly httpVersion: string;
}

export type StubAnswer = Http2ServerResponse;
export type StubHandler = (request: StubRequest, answer: StubAnswer) => void;

export interface ApiStubOptions {
  /** Speaks nothing newer than HTTP/1.1. */
  readonly http1?: boolean;
  /** Whose certificate it shows; by default a new one's. */
  readonly authority?: Authority;
  /** Takes only clients that have a certificate of the authority. */
  readonly clientCertificates?: boolean;
}

/** A stand-in for an API server: real TLS, real HTTP/2, and answers as a test wants them. */
export class ApiStub implements AsyncDisposable {
  readonly requests: StubRequest[] = [];
  /** How it answers from now on. */
  handler: StubHandler = (_request, answer) => json(answer, {});
  readonly server: TlsServer;
  readonly front: TcpFront;
  /** Whose certificate it shows. */
  readonly authority: Authority;
  readonly #answers = new Set<StubAnswer>();
  readonly #clients: KubeClient[] = [];

  private constructor(server: TlsServer, front: TcpFront, authority: Authority) {
    this.server = server;
    this.front = front;
    this.authority = authority;
    server.on(
      'request',
      (request: Http2ServerRequest, answer: StubAnswer) => void this.#take(request, answer),
    );
  }

  /** Starts one on a free port of 127.0.0.1. */
  static async start(options: ApiStubOptions = {}): Promise<ApiStub> {
    const { http1 = false, authority = newAuthority(new Date()), clientCertificates = false } = options;
    const { certificate, key } = authority.issue(SERVER);
    const tls = {
      key,
      cert: certificate,
      ...(clientCertificates && { ca: authority.certificate, requestCert: true }),
    };
    const server: TlsServer = http1 ? createServer(tls) : createSecureServer(tls);
    await listen(server);
    return new ApiStub(server, await TcpFront.start(portOf(server)), authority);
  }

  get url(): URL {
    return new URL(`https://127.0.0.1:${this.front.port}`);
  }

  /** How many answers are being sent now. */
  get answering(): number {
    return this.#answers.size;
  }

  /** The requests so far as `METHOD /path`. */
  get calls(): readonly string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  /** Shows a certificate of another authority from the next connection on. */
  rotate(authority: Authority): void {
    const { certificate, key } = authority.issue(SERVER);
    this.server.setSecureContext({ key, cert: certificate });
  }

  /** A client with a fixed token, closed with the stub. */
  client(options: Partial<KubeClientOptions> = {}): KubeClient {
    const client = createKubeClient({ credentials: this.credentials(), userAgent: 'test/1', ...options });
    this.#clients.push(client);
    return client;
  }

  credentials(): Credentials {
    return {
      server: this.url,
      connection: async () => ({ ca: this.authority.certificate }),
      headers: async () => ({ authorization: 'Bearer a-token' }),
      renew: () => undefined,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.front.close();
    this.server.close();
  }

  async #take(request: Http2ServerRequest, answer: StubAnswer): Promise<void> {
    this.#answers.add(answer);
    answer.on('close', () => this.#answers.delete(answer));
    const seen = await read(request).catch(() => undefined);
    if (seen === undefined) return;
    this.requests.push(seen);
    this.handler(seen, answer);
  }
}

const SERVER = { commonName: 'stub', addresses: ['127.0.0.1'], dnsNames: ['api.test'] };

/** Answers 200 with `value`. */
export function json(answer: StubAnswer, value: unknown): void {
  answer.writeHead(200, { 'content-type': 'application/json' });
  answer.end(JSON.stringify(value));
}

/** Refuses, as the API server does: `more` is the rest of the Status, but for its HTTP `headers`. */
export function refuse(
  answer: StubAnswer,
  code: number,
  { headers = {}, ...more }: { headers?: Record<string, string>; [member: string]: unknown } = {},
): void {
  answer.writeHead(code, { 'content-type': 'application/json', ...headers });
  answer.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, ...more }));
}

async function read(request: Http2ServerRequest): Promise<StubRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { pathname, searchParams } = new URL(request.url, 'https://stub');
  return {
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    httpVersion: request.httpVersion,
  };
}

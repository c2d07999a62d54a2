import { once } from 'node:events';
import {
  createServer as createHttpServer,
  Agent as HttpAgent,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, Agent as HttpsAgent } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { stubCertificates } from './stub-certificates.ts';

/** An answer of the stub: a status, a body as JSON, headers. */
export interface StubAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Never answers. */
  readonly hang?: boolean;
}

type Answer = StubAnswer | (() => StubAnswer);

/** What the stub was asked, by kind. */
export interface StubCalls {
  /** Requests for a token, to either endpoint. */
  token: number;
  /** Requests without a token, which are answered by a challenge. */
  challenge: number;
  /** Requests for an object with a token, by `secret/name` or `key/name`. */
  readonly objects: Record<string, number>;
}

const TOKEN: StubAnswer = {
  body: { token_type: 'Bearer', expires_in: 3600, access_token: 'workload-token' },
};
const NOBODY: StubAnswer = { status: 404, body: {} };
const NO_IDENTITY: StubAnswer = {
  status: 400,
  body: { error: 'invalid_request', error_description: 'Identity not found' },
};

/**
 * A key vault with its token endpoints on loopback, over real TLS: whatever host the agents are asked for, this answers.
 * Counts calls.
 */
export class VaultStub {
  calls: StubCalls = { token: 0, challenge: 0, objects: {} };
  /** Answers by `secret/name`, `key/name`; others are 404. */
  readonly objects = new Map<string, Answer>();
  /** The answer of Entra ID's token endpoint. */
  token: Answer = TOKEN;
  /** The answer of the node's metadata endpoint. */
  managedIdentity: Answer = NO_IDENTITY;
  /** The answer to requests for any other host. */
  others: Answer = NOBODY;
  readonly #servers: readonly Server[];
  /** The authority that vouches for this stub, as PEM. */
  readonly ca: string;

  private constructor(servers: readonly Server[], ca: string) {
    this.#servers = servers;
    this.ca = ca;
  }

  static async start(): Promise<VaultStub> {
    const { ca, cert, key } = stubCertificates([
      '*.vault.azure.net',
      'login.microsoftonline.com',
      'tuf-repo-cdn.sigstore.dev',
      'localhost',
    ]);
    const listener = (request: IncomingMessage, response: ServerResponse) => stub.#handle(request, response);
    const servers = [createHttpsServer({ cert, key }, listener), createHttpServer(listener)];
    const stub = new VaultStub(servers, ca);
    for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
    return stub;
  }

  /** Forgets calls and answers. */
  reset(): void {
    this.calls = { token: 0, challenge: 0, objects: {} };
    this.objects.clear();
    this.token = TOKEN;
    this.managedIdentity = NO_IDENTITY;
    this.others = NOBODY;
  }

  /** How many times objects were answered in all. */
  get objectCalls(): number {
    return Object.values(this.calls.objects).reduce((sum, count) => sum + count, 0);
  }

  /** Where it speaks TLS, for a proxy. */
  get tlsPort(): number {
    return (this.#servers[0]?.address() as AddressInfo | undefined)?.port ?? 0;
  }

  /** Agents that lead every host to this stub. */
  agents(ca: string = this.ca): { http: HttpAgent; https: HttpsAgent } {
    const [tls, plain] = this.#servers.map((server) => (server.address() as AddressInfo).port);
    const https = new HttpsAgent({ keepAlive: false });
    const http = new HttpAgent({ keepAlive: false });
    // Both ports are known now: the servers listen.
    https.createConnection = (options) =>
      connectTls({ host: '127.0.0.1', port: tls ?? 0, servername: String(options.host), ca });
    http.createConnection = () => connect({ host: '127.0.0.1', port: plain ?? 0 });
    return { http, https };
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      if ('closeAllConnections' in server)
        (server as ReturnType<typeof createHttpServer>).closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    request.on('end', () => send(response, this.#answer(request)));
  }

  #answer(request: IncomingMessage): StubAnswer {
    const url = new URL(request.url ?? '/', `https://${request.headers.host ?? 'none'}`);
    if (url.pathname.includes('/metadata/identity/')) {
      this.calls.token += 1;
      return value(this.managedIdentity);
    }
    if (url.pathname.endsWith('/oauth2/v2.0/token')) {
      this.calls.token += 1;
      return value(this.token);
    }
    if (!url.hostname.endsWith('.vault.azure.net')) return value(this.others);
    if (request.headers.authorization === undefined) {
      this.calls.challenge += 1;
      const challenge =
        'Bearer authorization="https://login.microsoftonline.com/tenant-1", resource="https://vault.azure.net"';
      return { status: 401, headers: { 'www-authenticate': challenge }, body: {} };
    }
    return this.#object(url);
  }

  #object(url: URL): StubAnswer {
    const [, kind, name] = url.pathname.split('/');
    const key = `${kind === 'keys' ? 'key' : 'secret'}/${name}`;
    this.calls.objects[key] = (this.calls.objects[key] ?? 0) + 1;
    const notFound = {
      status: 404,
      body: { error: { code: 'SecretNotFound', message: `${name} was not found` } },
    };
    return value(this.objects.get(key) ?? notFound);
  }
}

const value = (answer: Answer): StubAnswer => (typeof answer === 'function' ? answer() : answer);

function send(response: ServerResponse, { status = 200, body, headers, hang = false }: StubAnswer): void {
  if (hang) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body ?? {}));
}

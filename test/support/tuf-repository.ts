import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { stubCertificates } from './stub-certificates.ts';

const DAY_MS = 86_400_000;
const TRUSTED_ROOT = JSON.stringify({
  mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
});

/** A TUF repository on loopback that holds an empty trusted root of Sigstore, signed by one key. */
export class TufRepository {
  /** What a client trusts at first. */
  readonly root: string;
  /** Requests since the start. */
  requests = 0;
  /** Answers every request with this status instead, when set. */
  failWith: number | undefined;
  readonly #files: ReadonlyMap<string, string>;
  readonly #plain: Server;
  readonly #secure: Server[] = [];

  private constructor(files: ReadonlyMap<string, string>, server: Server) {
    this.#files = files;
    this.#plain = server;
    this.root = files.get('/1.root.json') ?? '';
  }

  static async start(): Promise<TufRepository> {
    const server = createServer((request, response) => repository.#handle(request, response));
    const repository = new TufRepository(files(), server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return repository;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#plain.address() as AddressInfo).port}`;
  }

  /** The same over TLS, for these host names: its port, and the authority that vouches for it. */
  async secure(names: readonly string[]): Promise<{ readonly port: number; readonly ca: string }> {
    const { ca, cert, key } = stubCertificates(names);
    const server = createSecureServer({ cert, key }, (request, response) => this.#handle(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    this.#secure.push(server);
    return { ca, port: (server.address() as AddressInfo).port };
  }

  async stop(): Promise<void> {
    for (const server of [this.#plain, ...this.#secure]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const body = this.#answer(request.url ?? '');
    response.writeHead(typeof body === 'string' ? 200 : body);
    response.end(typeof body === 'string' ? body : '');
  }

  #answer(path: string): string | number {
    this.requests += 1;
    return this.failWith ?? this.#files.get(path) ?? 404;
  }
}

/** Root, timestamp, snapshot, targets and the one target, each under the names that a client asks for. */
function files(): ReadonlyMap<string, string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = {
    keytype: 'ed25519',
    scheme: 'ed25519',
    keyval: { public: rawKey(publicKey.export({ format: 'der', type: 'spki' })) },
  };
  const keyid = createHash('sha256').update(canonical(key)).digest('hex');
  const signed = (content: object) => {
    const body = { spec_version: '1.0.31', version: 1, expires: date(Date.now() + DAY_MS), ...content };
    const sig = sign(null, Buffer.from(canonical(body)), privateKey).toString('hex');
    return JSON.stringify({ signatures: [{ keyid, sig }], signed: body });
  };
  const role = { keyids: [keyid], threshold: 1 };
  const roles = { root: role, timestamp: role, snapshot: role, targets: role };
  const hash = createHash('sha256').update(TRUSTED_ROOT).digest('hex');
  const target = { length: Buffer.byteLength(TRUSTED_ROOT), hashes: { sha256: hash } };
  return new Map([
    ['/1.root.json', signed({ _type: 'root', consistent_snapshot: true, keys: { [keyid]: key }, roles })],
    ['/timestamp.json', signed({ _type: 'timestamp', meta: { 'snapshot.json': { version: 1 } } })],
    ['/1.snapshot.json', signed({ _type: 'snapshot', meta: { 'targets.json': { version: 1 } } })],
    ['/1.targets.json', signed({ _type: 'targets', targets: { 'trusted_root.json': target } })],
    [`/targets/${hash}.trusted_root.json`, TRUSTED_ROOT],
  ]);
}

/** The last 32 bytes of a subject public key info are the key itself. */
const rawKey = (spki: Buffer) => spki.subarray(-32).toString('hex');
const date = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** JSON with sorted names and without blanks, over which TUF signs. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

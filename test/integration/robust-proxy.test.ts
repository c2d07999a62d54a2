import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { Agent, type Dispatcher, request } from 'undici';
import { newServerCertificate } from '../support/fault-proxy/server-certificate.ts';
import { type Fault, FaultProxy, randomFaults } from '../support/fault-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

const PODS = '/api/v1/namespaces/x/pods';
const WATCH = `${PODS}?watch=true`;

for (const http1 of [true, false]) {
  describe(`the fault proxy, to a client over HTTP/${http1 ? '1.1' : '2'}`, () => {
    let server: SmallServer;
    let proxy: FaultProxy;
    let agents: Agent[];
    beforeEach(async () => {
      server = await SmallServer.start();
      proxy = await FaultProxy.start({ url: server.url, ca: server.ca }, { http1 });
      agents = [];
    });
    afterEach(async () => {
      await Promise.all(agents.map((agent) => agent.destroy()));
      await proxy[Symbol.asyncDispose]();
      server[Symbol.dispose]();
    });

    const newAgent = () => {
      const agent = new Agent({ connect: { ca: proxy.ca, preferH2: true }, allowH2: true });
      agents.push(agent);
      return agent;
    };
    const call = (path: string, options: Call = {}) => {
      const { agent = (agents[0] ??= newAgent()), ...rest } = options;
      return request(`${proxy.url}${path}`, { dispatcher: agent, ...rest });
    };
    /** What a client that knows both speaks with the proxy. */
    const protocol = async () => {
      const socket = connect({ port: proxy.port, ca: proxy.ca, ALPNProtocols: ['h2', 'http/1.1'] });
      await once(socket, 'secureConnect');
      socket.destroy();
      return socket.alpnProtocol;
    };
    /** Opens a watch; `read` gives the text that has come so far, `ended` how it ended. */
    const watch = async (path = WATCH) => {
      const answer = await call(path);
      const seen = { text: '', ended: undefined as unknown };
      void (async () => {
        for await (const chunk of answer.body) seen.text += String(chunk);
      })().then(
        () => (seen.ended = 'in good order'),
        (error: unknown) => (seen.ended = error),
      );
      return seen;
    };

    it('passes requests on with method, query, token and body, and answers back', async () => {
      const answer = await call(`${PODS}/a?fieldManager=me`, {
        method: 'PATCH',
        headers: { authorization: 'Bearer a.b.c', 'content-type': 'application/apply-patch+yaml' },
        body: '{"a":1}',
      });
      expect(answer.statusCode).to.equal(200);
      expect(answer.headers['content-type']).to.equal('application/json');
      expect(await answer.body.json()).to.deep.equal({ path: `${PODS}/a?fieldManager=me`, body: '{"a":1}' });
      expect(server.requests[0]).to.include({
        ':method': 'PATCH',
        authorization: 'Bearer a.b.c',
        'content-type': 'application/apply-patch+yaml',
      });
      expect(proxy.stats()).to.deep.include({ connections: 1, requests: { 'patch pods': 1 }, faults: {} });
      expect(await protocol()).to.equal(http1 ? 'http/1.1' : 'h2');
    });

    it('passes a watch on line by line while it is open, and counts it', async () => {
      const seen = await watch();
      server.say('{"n":1}\n');
      await waitUntil(() => seen.text === '{"n":1}\n', { what: 'the first line' });
      expect(proxy.stats()).to.deep.include({ watches: { ' pods': 1 }, mostWatches: { ' pods': 1 } });
      server.say('{"n":2}\n');
      server.end();
      await waitUntil(() => seen.ended, { what: 'its end' });
      expect(seen).to.deep.equal({ text: '{"n":1}\n{"n":2}\n', ended: 'in good order' });
      await waitUntil(() => proxy.stats().watches[' pods'] === 0, { what: 'no open watch' });
    });

    it('finds a client that has two watches of one resource open', async () => {
      await Promise.all([watch(), watch()]);
      await waitUntil(() => proxy.stats().mostWatches[' pods'] === 2, { what: 'two watches' });
      expect(proxy.stats().overlaps).to.have.length(1);
      const { mostWatches } = proxy.stats();
      server.end();
      await waitUntil(() => server.open === 0, { what: 'their end' });
      await watch();
      expect(proxy.stats().mostWatches).to.deep.equal(mostWatches);
    });

    it('tells the API server when a client leaves a watch', async () => {
      const stop = new AbortController();
      const answer = await call(WATCH, { signal: stop.signal });
      await waitUntil(() => server.open === 1, { what: 'the watch' });
      answer.body.on('error', () => undefined);
      stop.abort();
      await waitUntil(() => server.open === 0, { what: 'its end' });
    });

    it('answers in place of the API server: Status or HTML, with and without Retry-After', async () => {
      proxy.fault({ kind: 'answer', code: 429, retryAfterSeconds: 7, times: 1 });
      proxy.fault({ kind: 'answer', code: 503, form: 'html', times: 1 });
      const [first, second] = [await call(PODS), await call(PODS)];
      expect([first.statusCode, first.headers['retry-after']]).to.deep.equal([429, '7']);
      expect(await first.body.json()).to.deep.include({
        kind: 'Status',
        code: 429,
        reason: 'TooManyRequests',
      });
      expect([second.statusCode, second.headers['retry-after']]).to.deep.equal([503, undefined]);
      expect(await second.body.text()).to.match(/^<html>/);
      expect(server.requests).to.have.length(0);
      expect((await call(PODS)).statusCode).to.equal(200);
    });

    it('meets with a rule only what it is for, and only so often', async () => {
      const rule = proxy.fault({ kind: 'answer', code: 409, match: { verb: 'patch', name: 'a' }, times: 2 });
      const patch = async (name: string) => (await call(`${PODS}/${name}`, { method: 'PATCH' })).statusCode;
      expect([await patch('b'), await patch('a'), await patch('a'), await patch('a')]).to.deep.equal([
        200, 409, 409, 200,
      ]);
      expect(rule.hits).to.equal(2);
    });

    it('cuts a request before the API server hears of it, or loses the answer after it was done', async () => {
      proxy.fault({ kind: 'cut', times: 1 });
      expect(await failure(call(PODS, { method: 'POST' }))).to.be.instanceOf(Error);
      expect(server.requests).to.have.length(0);
      proxy.fault({ kind: 'lose', times: 1 });
      expect(await failure(call(PODS, { method: 'POST' }))).to.be.instanceOf(Error);
      expect(server.requests).to.have.length(1);
    });

    const endings: Record<
      string,
      { fault: Fault; text: string | RegExp; ended: 'in good order' | 'broken' }
    > = {
      'cuts a watch mid-stream': {
        fault: { kind: 'cut', lines: 1 },
        text: /^(?:\{"n":1\}\n)?$/,
        ended: 'broken',
      },
      'resets the connection of a watch, and with it what is on the way': {
        fault: { kind: 'reset', lines: 1 },
        text: /^(?:\{"n":1\}\n)?$/,
        ended: 'broken',
      },
      'ends a watch in good order': {
        fault: { kind: 'end', lines: 1 },
        text: '{"n":1}\n',
        ended: 'in good order',
      },
      'truncates a line': {
        fault: { kind: 'truncate', lines: 1 },
        text: '{"n":1}\n{"n"',
        ended: 'in good order',
      },
      'garbles a line': {
        fault: { kind: 'garble', lines: 1 },
        text: /^\{"n":1\}\n\{[^}]*\n\{"n":3\}\n$/,
        ended: 'in good order',
      },
      'loses a line': {
        fault: { kind: 'skip', lines: 1 },
        text: '{"n":1}\n{"n":3}\n',
        ended: 'in good order',
      },
      'says that the version has expired': {
        fault: { kind: 'expired', lines: 1 },
        text: /^\{"n":1\}\n\{"type":"ERROR",.*"code":410\}\}\n$/,
        ended: 'in good order',
      },
      'lets a watch drip': {
        fault: { kind: 'drip', bytes: 3, everyMs: 1 },
        text: '{"n":1}\n{"n":2}\n{"n":3}\n',
        ended: 'in good order',
      },
      'delays what a watch says': {
        fault: { kind: 'lag', ms: 20 },
        text: '{"n":1}\n{"n":2}\n{"n":3}\n',
        ended: 'in good order',
      },
    };
    for (const [name, { fault, text, ended }] of Object.entries(endings)) {
      it(name, async () => {
        proxy.fault({ ...fault, match: { verb: 'watch' } });
        const seen = await watch();
        // One by one, so that what comes before the fault is not lost on the way with the connection.
        for (const n of [1, 2, 3]) {
          server.say(`{"n":${n}}\n`);
          if (n === 1) await waitUntil(() => seen.text || seen.ended, { what: 'the first line' });
        }
        server.end();
        await waitUntil(() => seen.ended, { what: 'its end' });
        if (typeof text === 'string') expect(seen.text).to.equal(text);
        else expect(seen.text).to.match(text);
        if (ended === 'broken') expect(seen.ended).to.be.instanceOf(Error);
        else expect(seen.ended).to.equal(ended);
        expect(proxy.stats().faults).to.deep.equal({ [fault.kind]: 1 });
        await waitUntil(() => server.open === 0, { what: 'the end at the API server' });
      });
    }

    it('strikes watches that are open already', async () => {
      const seen = await watch();
      server.say('{"n":1}\n');
      await waitUntil(() => seen.text, { what: 'the first line' });
      expect(proxy.strike({ verb: 'watch', resource: 'nodes' }, { kind: 'cut' })).to.equal(0);
      expect(proxy.strike({ verb: 'watch', resource: 'pods' }, { kind: 'cut' })).to.equal(1);
      await waitUntil(() => seen.ended, { what: 'its end' });
      expect(seen.ended).to.be.instanceOf(Error);
      expect(proxy.strike({ verb: 'watch' }, { kind: 'cut' })).to.equal(0);
    });

    it('strikes a watch that has no answer yet: what is told in its body waits for its head', async () => {
      proxy.fault({ kind: 'delay', ms: 100, times: 1 });
      const opening = watch();
      await waitUntil(() => proxy.strike({ verb: 'watch' }, { kind: 'expired' }) === 1, {
        what: 'the watch',
      });
      const seen = await opening;
      await waitUntil(() => seen.ended, { what: 'its end' });
      expect(seen).to.deep.include({ ended: 'in good order' });
      expect(JSON.parse(seen.text)).to.have.nested.property('object.code', 410);
    });

    it('counts a watch that it refuses as none', async () => {
      proxy.fault({ kind: 'answer', code: 503, times: 1 });
      expect((await call(WATCH)).statusCode).to.equal(503);
      expect(proxy.stats().mostWatches).to.deep.equal({});
      expect(proxy.strike({ verb: 'watch' }, { kind: 'cut' })).to.equal(0);
    });

    it('lets a connection fall silent without closing it, and takes new ones', async () => {
      const seen = await watch();
      proxy.strike({ verb: 'watch' }, { kind: 'drop' });
      server.say('{"n":1}\n');
      expect((await call(PODS, { agent: newAgent() })).statusCode).to.equal(200);
      expect(seen).to.deep.equal({ text: '', ended: undefined });
      // Nobody can tell what becomes of a watch on a connection that is half open.
      expect(proxy.stats()).to.deep.include({ connections: 2, watches: { ' pods': 0 } });
      await agents[0]?.destroy();
      await waitUntil(() => proxy.stats().connections === 1, { what: 'the end of the connection' });
    });

    it('stalls one stream and no other', async () => {
      const [seen, other] = [await watch(), await watch(`${WATCH}&labelSelector=a`)];
      expect(proxy.strike({ verb: 'watch' }, { kind: 'stall' })).to.equal(2);
      const third = await watch();
      server.say('{"n":1}\n');
      await waitUntil(() => third.text, { what: 'the line on the third' });
      expect([seen.text, other.text]).to.deep.equal(['', '']);
    });

    it('refuses connections, resets them, lets them hang, or has no TLS, until it heals', async () => {
      expect((await call(PODS)).statusCode).to.equal(200);
      for (const network of ['refused', 'reset', 'tls-error'] as const) {
        await proxy.network(network);
        expect(await failure(call(PODS, { agent: newAgent() })), network).to.be.instanceOf(Error);
        await proxy.heal();
        expect((await call(PODS, { agent: newAgent() })).statusCode, network).to.equal(200);
      }
      await proxy.network('silent');
      const hanging = failure(call(PODS, { agent: newAgent(), signal: AbortSignal.timeout(300) }));
      expect(String(await hanging)).to.include('Timeout');
      await proxy.heal();
      expect((await call(PODS, { agent: newAgent() })).statusCode).to.equal(200);
    });

    it('passes on that the API server has gone, and finds it again', async () => {
      const seen = await watch();
      await server.restart();
      await waitUntil(() => seen.ended, { what: 'the end of the watch' });
      expect(seen.ended).to.be.instanceOf(Error);
      expect((await call(PODS, { agent: newAgent() })).statusCode).to.equal(200);
    });

    it('shows a certificate of another authority after a rotation', async () => {
      const old = newAgent();
      proxy.rotate();
      expect(String(await failure(call(PODS, { agent: old })))).to.match(/certificate|signature/);
      expect((await call(PODS, { agent: newAgent() })).statusCode).to.equal(200);
    });

    it('sends a client to another connection, and does not break what is open', async () => {
      const seen = await watch();
      proxy.fault({ kind: 'goaway', times: 1 });
      expect((await call(PODS)).statusCode).to.equal(200);
      expect((await call(PODS)).statusCode).to.equal(200);
      server.say('{"n":1}\n');
      // What undici makes of a GOAWAY is its own affair; the proxy itself has gone on.
      await waitUntil(() => seen.text !== '' || seen.ended !== undefined, { what: 'the line or the end' });
      expect(proxy.stats().connectionsEver).to.be.at.least(2);
    });
  });
}

describe('the plan of the fault proxy', () => {
  const seen = (verb: string, name = '') => ({
    verb,
    name,
    client: 'ratify-0',
    resource: 'executors',
    subresource: '',
    namespace: 'x',
    token: '',
    metadataOnly: false,
    query: {},
  });
  const draws = (seed: number, verb: string) =>
    Array.from({ length: 400 }, (_, count) => randomFaults({ seed, rate: 0.5 })(seen(verb), count));

  it('decides the same for the same seed, request and count, whatever came between', () => {
    const plan = randomFaults({ seed: 7, rate: 0.5 });
    const backwards = Array.from({ length: 400 }, (_, at) => plan(seen('watch'), 399 - at)).toReversed();
    expect(backwards).to.deep.equal(draws(7, 'watch'));
    expect(draws(8, 'watch')).not.to.deep.equal(draws(7, 'watch'));
    expect(draws(7, 'get')).not.to.deep.equal(draws(7, 'watch'));
  });

  it('draws about as many faults as asked, and every kind of them', () => {
    const faults = [...draws(1, 'watch'), ...draws(2, 'watch'), ...draws(3, 'patch')];
    const hit = faults.filter((fault) => fault !== undefined);
    expect(hit.length).to.be.within(faults.length * 0.4, faults.length * 0.6);
    expect([...new Set(hit.map(({ kind }) => kind))]).to.have.members([
      'answer',
      'delay',
      'drip',
      'goaway',
      'cut',
      'reset',
      'end',
      'truncate',
      'garble',
      'expired',
      'lag',
      'drop',
      'lose',
    ]);
    const codes = hit.flatMap((fault) => (fault.kind === 'answer' ? [fault.code] : []));
    expect([...new Set(codes)]).to.have.members([401, 403, 409, 410, 429, 500, 503, 504]);
  });

  it('leaves out what it is told to', () => {
    const plan = randomFaults({ seed: 1, rate: 1, without: ['drop', 'answer'] });
    const kinds = Array.from({ length: 300 }, (_, count) => plan(seen('watch'), count)?.kind);
    expect(kinds).not.to.include.members(['drop']);
    expect(kinds).not.to.include.members(['answer']);
  });

  it('leaves requests alone at a rate of 0', () => {
    const plan = randomFaults({ seed: 1, rate: 0 });
    expect(plan(seen('watch'), 0)).to.equal(undefined);
  });
});

type Call = Partial<Omit<Dispatcher.RequestOptions, 'path' | 'origin'>> & { readonly agent?: Agent };

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** An HTTP/2 server that answers calls with what it was asked, and keeps watches open. */
class SmallServer implements Disposable {
  readonly requests: Http2ServerRequest['headers'][] = [];
  readonly ca: string;
  readonly #watches = new Set<Http2ServerResponse>();
  readonly #certificate: { readonly cert: string; readonly key: string };
  #server: Http2SecureServer;
  #port = 0;

  private constructor() {
    const { ca, ...certificate } = newServerCertificate();
    this.ca = ca;
    this.#certificate = certificate;
    this.#server = this.#newServer();
  }

  static async start(): Promise<SmallServer> {
    const server = new SmallServer();
    await server.#listen();
    return server;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** How many watches are open. */
  get open(): number {
    return this.#watches.size;
  }

  /** Sends a line to all watches. */
  say(line: string): void {
    for (const watch of this.#watches) watch.write(line);
  }

  /** Ends all watches in good order. */
  end(): void {
    for (const watch of this.#watches) watch.end();
  }

  /** Ends as a crash would, and comes back on the same port. */
  async restart(): Promise<void> {
    this[Symbol.dispose]();
    this.#server = this.#newServer();
    await this.#listen();
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const destroy of this.#sockets) destroy();
    this.#sockets.clear();
  }

  readonly #sockets = new Set<() => void>();

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #newServer(): Http2SecureServer {
    const server = createSecureServer(this.#certificate);
    server.on('secureConnection', (socket) => this.#sockets.add(() => socket.destroy()));
    server.on('sessionError', () => undefined);
    server.on('request', (message, response) => void this.#answer(message, response));
    return server;
  }

  async #answer(message: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    this.requests.push(message.headers);
    response.on('error', () => undefined);
    let body = '';
    for await (const chunk of message) body += String(chunk);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!message.url.includes('watch=true')) {
      response.end(JSON.stringify({ path: message.url, body }));
      return;
    }
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
  }
}

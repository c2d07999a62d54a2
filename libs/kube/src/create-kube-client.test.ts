import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreMetrics } from '@executor-status/controller';
import { expect } from 'chai';
import { newAuthority } from '../../../test/support/control-plane/certificates.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { ApiStub, json, refuse, type StubHandler } from '../test/api-stub.ts';
import { inClusterCredentials } from './in-cluster-credentials.ts';
import type { KubeClient } from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import { LEASE, POD, reportResource } from './resource.ts';

describe('a client of the API server', () => {
  const REPORTS = '/apis/status.ratify.sh/v1alpha1/namespaces/a/executorpodstatuses';

  describe('asks for', () => {
    const sent = { metadata: { namespace: 'a', name: 'r' }, status: { succeeded: true } };
    const typed = { ...sent, apiVersion: 'status.ratify.sh/v1alpha1', kind: 'ExecutorPodStatus' };
    const reports = reportResource();

    interface Case {
      readonly call: (client: KubeClient) => Promise<unknown>;
      readonly want: string;
      readonly query?: Record<string, string>;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
    const cases: Record<string, Case> = {
      'an object': { call: (client) => client.get(reports, sent.metadata), want: `GET ${REPORTS}/r` },
      'the metadata of an object': {
        call: (client) => client.get(reports, sent.metadata, { metadataOnly: true }),
        want: `GET ${REPORTS}/r`,
        headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
      },
      'a new object': {
        call: (client) => client.create(reports, sent),
        want: `POST ${REPORTS}`,
        body: typed,
      },
      'another object in its place': {
        call: (client) => client.replace(reports, sent),
        want: `PUT ${REPORTS}/r`,
        body: typed,
      },
      'fields of an object, by server-side apply': {
        call: (client) => client.apply(reports, sent, { fieldManager: 'me' }),
        want: `PATCH ${REPORTS}/r`,
        query: { fieldManager: 'me', force: 'true' },
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: typed,
      },
      'B20: fields of a status, by server-side apply': {
        call: (client) => client.apply(reports, sent, { fieldManager: 'me', subresource: 'status' }),
        want: `PATCH ${REPORTS}/r/status`,
        query: { fieldManager: 'me', force: 'true' },
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: typed,
      },
      'the end of one very object': {
        call: (client) => client.remove(reports, { ...sent.metadata, uid: 'u', resourceVersion: '7' }),
        want: `DELETE ${REPORTS}/r`,
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'u', resourceVersion: '7' } },
      },
    };
    for (const [name, { call, want, query = {}, headers = {}, body }] of Object.entries(cases)) {
      it(name, async () => {
        await using stub = await ApiStub.start();
        await call(stub.client());
        expect(stub.calls).to.deep.equal([want]);
        const [request] = stub.requests;
        expect(request?.query).to.deep.equal(query);
        expect(request?.headers).to.include({
          authorization: 'Bearer a-token',
          'user-agent': 'test/1',
          ...headers,
        });
        expect(request?.body).to.equal(body === undefined ? '' : request?.body);
        if (body !== undefined) expect(JSON.parse(request?.body ?? '')).to.deep.equal(body);
      });
    }

    it('who it is', async () => {
      await using stub = await ApiStub.start();
      stub.handler = (_request, answer) => json(answer, { status: { userInfo: { username: 'me' } } });
      expect(await stub.client().selfSubjectReview()).to.deep.equal({ username: 'me' });
      expect(stub.calls).to.deep.equal(['POST /apis/authentication.k8s.io/v1/selfsubjectreviews']);
    });
  });

  describe('when something is not there', () => {
    const absent: StubHandler = (_request, answer) =>
      refuse(answer, 404, { reason: 'NotFound', details: { name: 'r', kind: 'pods' } });
    const notInstalled: StubHandler = (_request, answer) => {
      answer.writeHead(404, { 'content-type': 'text/plain' });
      answer.end('404 page not found\n');
    };
    const target = { namespace: 'a', name: 'r' };

    it('finds no object', async () => {
      await using stub = await ApiStub.start();
      stub.handler = absent;
      expect(await stub.client().get(POD, target)).to.equal(undefined);
      expect(await stub.client().remove(POD, target)).to.equal(false);
    });

    it('tells a kind that is not installed from an object that is not there', async () => {
      await using stub = await ApiStub.start();
      stub.handler = notInstalled;
      expect(await failureOf(stub.client().get(POD, target))).to.include({ code: 404, missing: 'kind' });
      expect(await failureOf(stub.client().remove(POD, target))).to.include({ code: 404, missing: 'kind' });
    });

    it('does not take it from something in between that a kind is not installed, and tries again', async () => {
      await using stub = await ApiStub.start();
      const others: readonly StubHandler[] = [
        (_request, answer) => {
          answer.writeHead(404, { 'content-type': 'text/html' });
          answer.end('<html>Not Found</html>');
        },
        (_request, answer) => {
          answer.writeHead(404);
          answer.end();
        },
        (_request, answer) => {
          answer.writeHead(404, { 'content-type': 'application/json' });
          answer.end('{"message":"no route"}');
        },
      ];
      for (const handler of others) {
        stub.handler = handler;
        const call = stub.client().get(POD, target);
        expect(await failureOf(call)).to.include({ code: 404, missing: undefined, retryable: true });
      }
    });

    it('takes a Status without a name for a kind that is not installed, and a try for useless', async () => {
      await using stub = await ApiStub.start();
      stub.handler = (_request, answer) => refuse(answer, 404, { reason: 'NotFound', details: {} });
      const call = stub.client().get(POD, target);
      expect(await failureOf(call)).to.include({ code: 404, missing: 'kind', retryable: false });
    });

    for (const message of [
      'Precondition failed: UID in precondition: u1, UID in object meta: u2',
      'the UID in the precondition (u1) does not match the UID in record (u2)',
    ]) {
      it(`takes an object that has another uid now for gone: ${message}`, async () => {
        await using stub = await ApiStub.start();
        stub.handler = (_request, answer) => refuse(answer, 409, { reason: 'Conflict', message });
        expect(await stub.client().remove(POD, { ...target, uid: 'u1' })).to.equal(false);
      });
    }

    it('does not take an object for gone because of another conflict', async () => {
      await using stub = await ApiStub.start();
      stub.handler = (_request, answer) => refuse(answer, 409, { reason: 'Conflict' });
      const removal = stub.client().remove(POD, { ...target, uid: 'u1' });
      expect(await failureOf(removal)).to.include({ code: 409, retryable: true });
    });

    it('does not take an object that has only changed for gone', async () => {
      await using stub = await ApiStub.start();
      stub.handler = (_request, answer) => refuse(answer, 409, { reason: 'Conflict' });
      const removal = stub.client().remove(POD, { ...target, uid: 'u1', resourceVersion: '1' });
      expect(await failureOf(removal)).to.include({ code: 409, retryable: true });
    });
  });

  it('makes no connection any more when it was closed meanwhile (RP-9)', async () => {
    await using stub = await ApiStub.start();
    stub.handler = (_request, answer) => json(answer, {});
    const asked = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<{ ca: string }>();
    const connection = () => (asked.resolve(), promise);
    const client = stub.client({ credentials: { ...stub.credentials(), connection } });
    const failure = failureOf(client.get(POD, { namespace: 'a', name: 'r' }));
    await asked.promise;
    await client.close();
    resolve({ ca: stub.authority.certificate });
    expect(String(await failure)).to.include('the client is closed');
    expect(stub.requests).to.deep.equal([]);
  });

  describe('RP-3: when the server refuses', () => {
    const secret = 'sup3r-s3cret';
    interface Case {
      readonly answer: StubHandler;
      readonly want: Partial<KubeError>;
      readonly says?: string;
    }
    const cases: Record<string, Case> = {
      'with a Status': {
        answer: (_request, answer) =>
          refuse(answer, 403, { reason: 'Forbidden', message: 'pods is forbidden' }),
        want: { code: 403, reason: 'Forbidden', retryable: false, retryAfterMs: undefined },
        says: 'cannot create Pod a/p: HTTP 403 Forbidden: pods is forbidden',
      },
      'as invalid': {
        answer: (_request, answer) => refuse(answer, 422, { reason: 'Invalid' }),
        want: { code: 422, reason: 'Invalid', retryable: false },
      },
      'as a conflict': {
        answer: (_request, answer) => refuse(answer, 409, { reason: 'AlreadyExists' }),
        want: { code: 409, reason: 'AlreadyExists', retryable: true },
      },
      'with Retry-After in seconds': {
        answer: (_request, answer) => refuse(answer, 429, { headers: { 'retry-after': '7' } }),
        want: { code: 429, retryAfterMs: 7000, retryable: true },
      },
      'with Retry-After as a date': {
        answer: (_request, answer) =>
          refuse(answer, 503, { headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' } }),
        want: { code: 503, retryAfterMs: 0, retryable: true },
      },
      'with a Retry-After of a month, which nobody waits for (WP-4)': {
        answer: (_request, answer) => refuse(answer, 503, { headers: { 'retry-after': '2592000' } }),
        want: { code: 503, retryAfterMs: 24_000, retryable: true },
      },
      'with a Retry-After of a far day': {
        answer: (_request, answer) =>
          refuse(answer, 503, { headers: { 'retry-after': 'Thu, 01 Jan 2970 00:00:09 GMT' } }),
        want: { code: 503, retryAfterMs: 24_000, retryable: true },
      },
      'with endless retryAfterSeconds in the Status': {
        answer: (_request, answer) => refuse(answer, 429, { details: { retryAfterSeconds: 1e12 } }),
        want: { code: 429, retryAfterMs: 24_000 },
      },
      'with retryAfterSeconds in the Status only': {
        answer: (_request, answer) => refuse(answer, 500, { details: { retryAfterSeconds: 3 } }),
        want: { code: 500, retryAfterMs: 3000, retryable: true },
      },
      'with a Retry-After that is none': {
        answer: (_request, answer) => refuse(answer, 429, { headers: { 'retry-after': 'soon' } }),
        want: { code: 429, retryAfterMs: undefined },
      },
      'with HTML from something in between': {
        answer: (_request, answer) => {
          answer.writeHead(502, { 'content-type': 'text/html' });
          answer.end(`<html>Bad gateway ${secret}</html>`);
        },
        want: { code: 502, reason: undefined, retryable: true },
        says: 'cannot create Pod a/p: HTTP 502',
      },
      'with a redirection': {
        answer: (_request, answer) => {
          answer.writeHead(302, { location: 'https://elsewhere.test/' });
          answer.end();
        },
        want: { code: 302, retryable: false },
      },
      'with an endless body': {
        answer: (_request, answer) => {
          answer.writeHead(500);
          const more = () =>
            void (answer.stream.destroyed || answer.write('x'.repeat(65_536), () => setImmediate(more)));
          more();
        },
        want: { code: 500, retryable: true },
      },
      'because its schema lacks fields': {
        answer: (_request, answer) =>
          refuse(answer, 500, {
            message:
              'failed to create typed patch object (a/r; status.ratify.sh/v1alpha1, Kind=X): errors:\n  .status.recoveredAt: field not declared in schema\n  .status.material[0].source: field not declared in schema',
          }),
        want: { code: 500, retryable: false },
      },
      'with a success that is no JSON': {
        answer: (_request, answer) => {
          answer.writeHead(200);
          answer.end(`<html>${secret}</html>`);
        },
        want: { code: undefined, reason: 'NotJson', retryable: true },
      },
      'with a secret in its message': {
        answer: (_request, answer) => refuse(answer, 400, { message: `password=${secret} is wrong` }),
        want: { code: 400, retryable: false },
      },
    };
    for (const [name, { answer, want, says }] of Object.entries(cases)) {
      it(`${name}, says what is known and no more`, async () => {
        await using stub = await ApiStub.start();
        stub.handler = answer;
        const error = await failureOf(stub.client().create(POD, { metadata: { namespace: 'a', name: 'p' } }));
        expect(error).to.be.instanceOf(KubeError);
        expect(error).to.include(want);
        if (says !== undefined) expect(error.message).to.equal(says);
        for (const hidden of [secret, 'a-token']) expect(error.message).to.not.contain(hidden);
      });
    }

    it('names the fields that an older CRD does not declare', async () => {
      await using stub = await ApiStub.start();
      stub.handler = cases['because its schema lacks fields']?.answer ?? (() => expect.fail());
      const error = await failureOf(stub.client().create(POD, { metadata: { name: 'p' } }));
      expect(error.undeclaredFields).to.deep.equal(['.status.recoveredAt', '.status.material[0].source']);
    });

    it('lets the other calls wait too while the server is overloaded', async () => {
      await using stub = await ApiStub.start();
      const client = stub.client();
      stub.handler = (_request, answer) => refuse(answer, 429, { headers: { 'retry-after': '60' } });
      await failureOf(client.list(POD));
      stub.handler = (_request, answer) => json(answer, { items: [], metadata: {} });
      const error = await failureOf(client.list(POD, { timeoutMs: 50 }));
      expect(error.reason).to.equal('Timeout');
      await client.get(LEASE, { name: 'l', namespace: 'a' }, { priority: 'urgent' });
      expect(stub.calls).to.deep.equal([
        'GET /api/v1/pods',
        'GET /apis/coordination.k8s.io/v1/namespaces/a/leases/l',
      ]);
    });
  });

  describe('RP-9, B21: when a token has rotated', () => {
    it('reads it for each request, and once more after a 401', async () => {
      await using directory = await mounted({ token: 'old' });
      await using stub = await ApiStub.start();
      await directory.write('ca.crt', stub.authority.certificate);
      const client = stub.client({ credentials: inClusterCredentials(directory.options(stub)) });
      stub.handler = ({ headers }, answer) => {
        if (headers.authorization === 'Bearer new') json(answer, {});
        // The kubelet puts the new token in place at the very moment the old one ends.
        else
          void directory.write('token', 'new\n').then(() => refuse(answer, 401, { reason: 'Unauthorized' }));
      };
      await client.get(POD, { name: 'p', namespace: 'a' });
      await client.get(POD, { name: 'p', namespace: 'a' });
      expect(stub.requests.map(({ headers }) => headers.authorization)).to.deep.equal([
        'Bearer old',
        'Bearer new',
        'Bearer new',
      ]);
    });

    it('gives up after the second 401', async () => {
      await using stub = await ApiStub.start();
      stub.handler = (_request, answer) => refuse(answer, 401, { reason: 'Unauthorized' });
      expect(await failureOf(stub.client().list(POD))).to.include({ code: 401, retryable: true });
      expect(stub.requests).to.have.length(2);
    });

    it('fails in a way that can be retried while the token cannot be read', async () => {
      await using directory = await mounted({});
      await using stub = await ApiStub.start();
      await directory.write('ca.crt', stub.authority.certificate);
      const client = stub.client({ credentials: inClusterCredentials(directory.options(stub)) });
      expect(await failureOf(client.list(POD))).to.include({ code: undefined, retryable: true });
      await directory.write('token', 'there');
      stub.handler = (_request, answer) => json(answer, { items: [], metadata: { resourceVersion: '1' } });
      await client.list(POD);
    });
  });

  describe('RP-9: when the certificate authority has rotated', () => {
    it('fails until the file has changed, and then works at once', async () => {
      await using directory = await mounted({ token: 't' });
      await using stub = await ApiStub.start();
      await directory.write('ca.crt', stub.authority.certificate);
      const client = stub.client({ credentials: inClusterCredentials(directory.options(stub)) });
      await client.get(POD, { name: 'p', namespace: 'a' });

      const next = newAuthority(new Date());
      stub.rotate(next);
      stub.front.cut();
      const error = await failureOf(client.get(POD, { name: 'p', namespace: 'a' }));
      expect(error).to.include({ code: undefined, retryable: true });

      await directory.write('ca.crt', next.certificate);
      await client.get(POD, { name: 'p', namespace: 'a' });
    });

    it('leaves the streams that run alone', async () => {
      await using stub = await ApiStub.start();
      let ca = stub.authority.certificate;
      let sent = 0;
      const credentials = { ...stub.credentials(), connection: async () => ({ ca }) };
      const client = stub.client({ credentials });
      stub.handler = (_request, answer) => {
        answer.writeHead(200);
        const beat = setInterval(() => answer.write(`${(sent += 1)}\n`), 5);
        answer.on('close', () => clearInterval(beat));
      };
      const { chunks } = await client.open(watchRequest);
      const stream = chunks[Symbol.asyncIterator]();
      await stream.next();
      ca += newAuthority(new Date()).certificate;
      // A refused call makes the client look at once.
      stub.handler = ({ headers }, answer) => refuse(answer, headers.authorization ? 401 : 500);
      await failureOf(client.list(POD));
      const before = sent;
      await waitUntil(() => sent > before + 3, { what: 'more of the stream' });
      expect((await stream.next()).done).to.equal(false);
      expect(stub.front.taken).to.equal(2);
      await stream.return?.();
    });
  });

  describe('HA-2: when a call may not be sent any more', () => {
    it('withholds it when its turn in line comes', async () => {
      await using stub = await ApiStub.start();
      const may = { still: true };
      stub.handler = (_request, answer) => {
        may.still = false;
        json(answer, {});
      };
      const client = stub.client({ maxInFlight: 1 });
      const first = client.get(POD, { name: 'p', namespace: 'a' }, { mayStill: () => may.still });
      const error = await failureOf(
        client.get(POD, { name: 'q', namespace: 'a' }, { mayStill: () => may.still }),
      );
      await first;
      expect(error).to.include({ code: undefined, reason: 'Withheld', retryable: true });
      expect(stub.calls).to.deep.equal(['GET /api/v1/namespaces/a/pods/p']);
    });

    it('does not send it a second time after a 401', async () => {
      await using stub = await ApiStub.start();
      const may = { still: true };
      stub.handler = (_request, answer) => {
        may.still = false;
        refuse(answer, 401, { reason: 'Unauthorized' });
      };
      const call = stub.client().get(POD, { name: 'p', namespace: 'a' }, { mayStill: () => may.still });
      expect(await failureOf(call)).to.include({ reason: 'Withheld' });
      expect(stub.requests).to.have.length(1);
    });
  });

  describe('B16: when nothing comes back', () => {
    it('ends a call without an answer at its deadline', async () => {
      await using stub = await ApiStub.start();
      stub.handler = () => undefined;
      const error = await failureOf(stub.client({ callTimeoutMs: 40 }).list(POD));
      expect(error).to.include({ code: undefined, reason: 'Timeout', retryable: true });
      expect(error.message).to.equal('cannot list pods: Timeout: no answer within 40 ms');
      await waitUntil(() => stub.answering === 0, { what: 'the stream to be closed' });
    });

    it('ends a call whose answer stops half-way', async () => {
      await using stub = await ApiStub.start();
      stub.handler = (_request, answer) => {
        answer.writeHead(200);
        answer.write('{"items":[');
      };
      expect(await failureOf(stub.client().list(POD, { timeoutMs: 40 }))).to.include({ reason: 'Timeout' });
    });

    it('ends a call that waits in line', async () => {
      await using stub = await ApiStub.start();
      stub.handler = () => undefined;
      const client = stub.client({ maxInFlight: 1 });
      const first = failureOf(client.list(POD, { timeoutMs: 200 }));
      expect(await failureOf(client.list(POD, { timeoutMs: 20 }))).to.include({ reason: 'Timeout' });
      await first;
      expect(stub.requests).to.have.length(1);
    });

    it('ends a stream that does not begin, but not one that has begun', async () => {
      await using stub = await ApiStub.start();
      stub.handler = () => undefined;
      const client = stub.client({ callTimeoutMs: 300 });
      expect(await failureOf(client.open(watchRequest))).to.include({ reason: 'Timeout' });
      stub.handler = (_request, answer) => {
        answer.writeHead(200);
        setTimeout(() => answer.end('late'), 600);
      };
      const { chunks } = await client.open(watchRequest);
      expect(await textOf(chunks)).to.equal('late');
    });

    it('ends everything on a connection that went silent, by pings', async () => {
      await using stub = await ApiStub.start();
      stub.handler = (_request, answer) => void answer.writeHead(200).write('x');
      const client = stub.client({ pingIntervalMs: 30 });
      const { chunks, pinged } = await client.open(watchRequest);
      expect(pinged).to.equal(true);
      const failed = failureOf(textOf(chunks));
      stub.front.freeze();
      expect(await failed).to.include({ code: undefined, retryable: true });
      stub.handler = (_request, answer) => json(answer, { items: [], metadata: { resourceVersion: '1' } });
      await client.list(POD);
    });

    it('does as its caller says who has given up', async () => {
      await using stub = await ApiStub.start();
      stub.handler = () => undefined;
      const stop = new AbortController();
      const call = failureOf(stub.client().list(POD, { signal: stop.signal }));
      await waitUntil(() => stub.answering === 1, { what: 'the call' });
      stop.abort();
      expect(await call).to.include({ reason: 'Aborted' });
      await waitUntil(() => stub.answering === 0, { what: 'the stream to be closed' });
    });
  });

  describe('when there is no connection', () => {
    it('says so, and works again afterwards', async () => {
      await using stub = await ApiStub.start();
      const client = stub.client();
      stub.handler = (_request, answer) => json(answer, { items: [], metadata: { resourceVersion: '1' } });
      await client.list(POD);
      stub.front.cut();
      await client.list(POD).catch(() => undefined);
      await client.list(POD);
    });

    it('says why', async () => {
      const stub = await ApiStub.start();
      const client = stub.client();
      await stub[Symbol.asyncDispose]();
      const error = await failureOf(client.list(POD));
      expect(error).to.include({ code: undefined, reason: 'Unreachable', retryable: true });
      expect(error.message).to.contain('cannot list pods: Unreachable: the client is closed');
    });
  });

  describe('on its connections', () => {
    it('B19: sends everything over one, streams and calls alike', async () => {
      await using stub = await ApiStub.start();
      stub.handler = ({ query }, answer) => {
        if (query['watch']) answer.writeHead(200).write('x');
        else json(answer, { items: [], metadata: { resourceVersion: '1' } });
      };
      const client = stub.client({ qps: 10_000, burst: 10_000, maxInFlight: 50 });
      const { chunks } = await client.open(watchRequest);
      await Promise.all(Array.from({ length: 500 }, () => client.list(POD)));
      expect(stub.front.taken).to.equal(1);
      expect(new Set(stub.requests.map(({ httpVersion }) => httpVersion))).to.deep.equal(new Set(['2.0']));
      for await (const _chunk of chunks) break;
    });

    it('never starves a stream by writes beside it', async () => {
      await using stub = await ApiStub.start();
      stub.handler = ({ query }, answer) => {
        if (query['watch']) return endless(answer);
        json(answer, { filler: 'y'.repeat(100_000) });
      };
      const client = stub.client({ qps: 10_000, burst: 10_000, maxInFlight: 50 });
      const { chunks } = await client.open(watchRequest);
      const body = { metadata: { namespace: 'a', name: 'p' }, spec: 'x'.repeat(100_000) };
      const writes = Promise.all(Array.from({ length: 100 }, () => client.replace(POD, body)));
      let lines = 0;
      for await (const chunk of chunks) {
        lines += Buffer.from(chunk).toString().split('\n').length - 1;
        if (lines >= 50) break;
      }
      await writes;
      expect(stub.front.taken).to.equal(1);
    });

    it('takes a GOAWAY without an error, and lets the stream finish', async () => {
      await using stub = await ApiStub.start();
      stub.handler = ({ query }, answer) => {
        if (query['watch']) return endless(answer);
        json(answer, { items: [], metadata: { resourceVersion: '1' } });
      };
      const sessions: { goaway(): void }[] = [];
      stub.server.on('session', (session) => sessions.push(session));
      const client = stub.client({ qps: 10_000, burst: 10_000, maxInFlight: 50 });
      const { chunks } = await client.open(watchRequest);
      const stream = chunks[Symbol.asyncIterator]();
      await stream.next();
      const calls = Array.from({ length: 200 }, async (_, n) => {
        if (n === 100) sessions[0]?.goaway();
        await client.list(POD);
      });
      await Promise.all(calls);
      expect((await stream.next()).done).to.equal(false);
      expect(stub.front.taken).to.equal(2);
      await stream.return?.();
    });

    it('works with a server that knows only HTTP/1.1', async () => {
      await using stub = await ApiStub.start({ http1: true });
      stub.handler = (_request, answer) => void answer.writeHead(200).write('x');
      const { chunks, pinged } = await stub.client().open(watchRequest);
      expect(pinged).to.equal(false);
      for await (const _chunk of chunks) break;
      await waitUntil(() => stub.answering === 0, { what: 'the stream to be closed' });
    });

    it('closes a stream that its reader leaves', async () => {
      await using stub = await ApiStub.start();
      stub.handler = (_request, answer) => endless(answer);
      const { chunks } = await stub.client().open(watchRequest);
      for await (const _chunk of chunks) break;
      await waitUntil(() => stub.answering === 0, { what: 'the stream to be closed' });
    });
  });

  it('reports each call, by verb, resource and code', async () => {
    await using stub = await ApiStub.start();
    const counted: string[] = [];
    const metrics: CoreMetrics = {
      count: (name, labels) => counted.push([name, ...Object.values(labels)].join(' ')),
      observe: () => undefined,
      gauge: () => undefined,
    };
    const client = stub.client({ metrics });
    await client.get(POD, { name: 'p', namespace: 'a' });
    stub.handler = (_request, answer) => refuse(answer, 503);
    await failureOf(client.list(POD));
    stub.handler = () => undefined;
    await failureOf(client.list(POD, { timeoutMs: 20 }));
    expect(counted).to.deep.equal([
      'kube_requests_total get pods 200',
      'kube_requests_total list pods 503',
      'kube_requests_total list pods Timeout',
    ]);
  });

  const watchRequest = {
    method: 'GET',
    path: '/api/v1/pods',
    query: { watch: true },
    verb: 'watch',
    target: 'pods',
  } as const;
});

async function failureOf(call: Promise<unknown>): Promise<KubeError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof KubeError) return error;
  throw new Error('the call did not fail with a KubeError', { cause: error });
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

/** A stream that goes on until it is closed. */
function endless(answer: Parameters<StubHandler>[1]): void {
  answer.writeHead(200);
  const beat = setInterval(() => answer.write('a line\n'), 2);
  answer.on('close', () => clearInterval(beat));
}

/** A directory like the one that Kubernetes mounts. */
async function mounted(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), 'credentials-'));
  const write = (name: string, text: string) => writeFile(join(path, name), text);
  await Promise.all(Object.entries(files).map(([name, text]) => write(name, text)));
  return {
    write,
    options: ({ url }: ApiStub) => ({
      directory: path,
      env: { KUBERNETES_SERVICE_HOST: url.hostname, KUBERNETES_SERVICE_PORT: url.port },
    }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

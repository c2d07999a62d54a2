import { intoStore, Store, type WatchEvent } from '@executor-status/controller';
import { expect } from 'chai';
import { type Subscription, share } from 'rxjs';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { ApiStub, refuse } from '../test/api-stub.ts';
import { CollectionStub, type Fault, type StubObject } from '../test/collection-stub.ts';
import { systemClock } from './clock.ts';
import type { KubeClientOptions } from './create-kube-client.ts';
import type { KubeError } from './kube-error.ts';
import type { Log } from './log.ts';
import { POD } from './resource.ts';
import { WatchHealth } from './watch-health.ts';
import { type WatchOptions, watchResource } from './watch-resource.ts';

describe('watchResource', () => {
  describe('at the start', () => {
    it('asks for all objects and what happens to them in one request, where the server can', async () => {
      await using scene = await start();
      scene.pods.put('a');
      scene.pods.put('b');
      scene.watch();
      await scene.inStep();
      scene.pods.put('c');
      scene.pods.delete('a');
      await scene.inStep();
      expect(scene.kinds).to.deep.equal(['synced', 'applied', 'deleted']);
      expect(scene.stub.requests.map(({ query }) => query)).to.deep.equal([
        {
          watch: 'true',
          allowWatchBookmarks: 'true',
          timeoutSeconds: '450',
          sendInitialEvents: 'true',
          resourceVersionMatch: 'NotOlderThan',
        },
      ]);
    });

    it('takes in what changes while it is being told what there is', async () => {
      await using scene = await start();
      scene.pods.faults.push((_request, answer) => {
        const say = (type: string, name: string, rv: number) =>
          answer.write(
            `${JSON.stringify({ type, object: { metadata: { name, uid: name, resourceVersion: `${rv}` } } })}\n`,
          );
        answer.writeHead(200);
        say('ADDED', 'a', 1);
        say('ADDED', 'b', 2);
        say('DELETED', 'a', 3);
        say('MODIFIED', 'b', 4);
        answer.write(
          `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '4', annotations: { 'k8s.io/initial-events-end': 'true' } } } })}\n`,
        );
      });
      scene.watch();
      await waitUntil(() => scene.kinds.length > 0, { what: 'the first list' });
      expect(scene.events[0]).to.deep.equal({
        kind: 'synced',
        objects: [{ metadata: { name: 'b', uid: 'b', resourceVersion: '4' } }],
        resourceVersion: '4',
      });
    });

    for (const code of [400, 422]) {
      it(`reads pages instead, from a server that answers ${code}, and does not ask it again`, async () => {
        await using scene = await start();
        scene.pods.faults.push((_request, answer) => refuse(answer, code));
        scene.pods.put('a');
        scene.watch();
        await scene.inStep();
        scene.pods.compact();
        scene.pods.endWatches();
        await waitUntil(() => scene.requests().length === 6, { what: 'the second list and its watch' });
        expect(scene.requests()).to.deep.equal(['watchlist', 'list', 'watch', 'watch', 'list', 'watch']);
      });
    }

    it('RP-5: reads 10,000 objects fully, 500 at a time', async () => {
      await using scene = await start({ watchList: false });
      for (let n = 0; n < 10_000; n += 1) scene.pods.put(`pod-${n}`);
      scene.watch();
      await scene.inStep();
      expect(scene.store.size).to.equal(10_000);
      const pages = scene.stub.requests.filter(({ query }) => query['limit'] !== undefined);
      expect(pages).to.have.length(20);
      expect(new Set(pages.map(({ query }) => query['limit']))).to.deep.equal(new Set(['500']));
    });

    it('RP-5: publishes nothing while a page is missing', async () => {
      await using scene = await start({ watchList: false, options: { pageSize: 2 } });
      for (const name of ['a', 'b', 'c']) scene.pods.put(name);
      scene.pods.faults.push(noWatchList, passOn, failing(500), passOn, failing(403), passOn, held(scene));
      scene.watch();
      await waitUntil(() => scene.held.length > 0, { what: 'the third try to be held up' });
      expect(scene.events).to.deep.equal([]);
      expect(scene.health.synced).to.equal(false);
      scene.held.pop()?.();
      await scene.inStep();
      expect(scene.kinds).to.deep.equal(['synced']);
      expect(scene.store.size).to.equal(3);
    });

    it('stays in the phase missing while it asks again for a kind that is not installed', async () => {
      await using scene = await start();
      const phases = new Set<string>();
      let asked = 0;
      scene.pods.outage = (request, answer, proceed) => {
        asked += 1;
        if (asked > 1) phases.add(scene.health.phase);
        notInstalled(request, answer, proceed);
      };
      scene.watch();
      await waitUntil(() => asked > 5, { what: 'five tries' });
      expect([...phases]).to.deep.equal(['missing']);
      scene.pods.outage = undefined;
      await scene.inStep();
      expect(scene.health.phase).to.equal('watching');
    });

    it('tells, if asked to, that there is nothing when a kind is not installed: at the third try, and once', async () => {
      await using scene = await start({ options: { emptyIfMissing: true } });
      scene.pods.put('a');
      const told: number[] = [];
      let asked = 0;
      scene.pods.outage = (request, answer, proceed) => {
        asked += 1;
        told.push(scene.events.length);
        if (asked === 2) refuse(answer, 503);
        else notInstalled(request, answer, proceed);
      };
      scene.watch();
      await waitUntil(() => asked >= 7, { what: 'seven tries' });
      expect(told.slice(0, 7)).to.deep.equal([0, 0, 0, 0, 0, 1, 1]);
      expect(scene.events[0]).to.deep.equal({ kind: 'synced', objects: [] });
      expect(scene.health.synced).to.equal(false);
      scene.pods.outage = undefined;
      await scene.inStep();
      expect(scene.store.size).to.equal(1);
    });

    it('does not tell that there is nothing when a kind is missing that was listed before', async () => {
      await using scene = await start({ options: { emptyIfMissing: true } });
      scene.pods.put('a');
      scene.watch();
      await scene.inStep();
      scene.pods.compact();
      scene.pods.outage = notInstalled;
      scene.pods.endWatches();
      await waitUntil(() => scene.health.failures >= 5, { what: 'five failures' });
      expect(scene.kinds).to.deep.equal(['synced']);
    });

    it('RP-5: starts over when the server has forgotten the snapshot between two pages', async () => {
      await using scene = await start({ watchList: false, options: { pageSize: 2 } });
      for (const name of ['a', 'b', 'c']) scene.pods.put(name);
      scene.pods.faults.push(noWatchList, passOn, (_request, answer) => {
        scene.pods.delete('a');
        refuse(answer, 410, { reason: 'Expired' });
      });
      scene.watch();
      await scene.inStep();
      expect(scene.kinds).to.deep.equal(['synced']);
      expect([...scene.store.values()].map(({ metadata }) => metadata.name)).to.have.members(['b', 'c']);
      expect(scene.health.failures).to.equal(0);
    });

    it('waits for a kind that is not installed, and says so once', async () => {
      await using scene = await start();
      scene.pods.outage = notInstalled;
      scene.watch();
      const missing = () => scene.stub.requests.length > 4 && scene.health.phase === 'missing';
      await waitUntil(missing, { what: 'five tries', everyMs: 2 });
      expect(scene.health.synced).to.equal(false);
      scene.pods.outage = undefined;
      scene.pods.put('a');
      await scene.inStep();
      expect(scene.said).to.deep.equal([
        'warn: a kind is not installed; waiting for it',
        'info: a watch works again',
      ]);
    });
  });

  describe('on the way', () => {
    it('RP-4: asks for bookmarks and for a random end between 300 and 600 seconds', async () => {
      const randoms = [0, 0.999_999, 0.5];
      await using scene = await start({ options: { random: () => randoms.shift() ?? 0.5 } });
      scene.watch();
      for (let n = 1; n <= 3; n += 1) {
        await scene.inStep();
        scene.pods.bookmark();
        scene.pods.endWatches();
        await waitUntil(() => scene.stub.requests.length > n, { what: 'the next watch' });
      }
      expect(scene.stub.requests.slice(0, 3).map(({ query }) => query['timeoutSeconds'])).to.deep.equal([
        '300',
        '600',
        '450',
      ]);
      for (const { query } of scene.stub.requests) expect(query['allowWatchBookmarks']).to.equal('true');
    });

    it('RP-4, B14: goes on where a bookmark says, without a list, an event or a line in the log', async () => {
      await using scene = await start();
      scene.pods.put('a');
      scene.watch();
      await scene.inStep();
      for (let n = 0; n < 5; n += 1) {
        scene.pods.compact();
        scene.pods.bookmark();
        await waitUntil(() => scene.health.ageMs < 1000, { what: 'the bookmark' });
        await scene.reopened(() => scene.pods.endWatches());
      }
      expect(scene.kinds).to.deep.equal(['synced']);
      expect(scene.said).to.deep.equal([]);
      expect(scene.requests().filter((kind) => kind !== 'watch')).to.deep.equal(['watchlist']);
    });

    it('RP-1, B15: is cut 100 times and lists nothing anew, and misses nothing', async () => {
      await using scene = await start();
      scene.watch();
      for (let n = 0; n < 100; n += 1) {
        await scene.inStep();
        scene.stub.front.cut();
        scene.pods.put(`pod-${n % 7}`, `color-${n}`);
        scene.pods.delete(`pod-${(n * 3) % 7}`);
      }
      await scene.inStep();
      expect(scene.requests().filter((kind) => kind !== 'watch')).to.deep.equal(['watchlist']);
      expect(scene.kinds.filter((kind) => kind === 'synced')).to.have.length(1);
      expect(scene.pods.mostWatches).to.equal(1);
    });

    const expired: Record<string, (scene: Scene) => void> = {
      'as an answer': ({ pods }) => {
        pods.compact();
        pods.endWatches();
      },
      'inside the stream': ({ pods }) => {
        const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
        pods.writeToWatches(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
      },
    };
    for (const [form, expire] of Object.entries(expired)) {
      it(`RP-1: lists once more after a 410 ${form}, and sees what went by`, async () => {
        await using scene = await start();
        scene.pods.put('gone');
        scene.pods.put('stays');
        scene.watch();
        await scene.inStep();
        scene.pods.faults.push((_request, answer) => refuse(answer, 503));
        scene.stub.front.cut();
        await waitUntil(() => scene.pods.watches === 0, { what: 'the cut' });
        scene.pods.delete('gone');
        scene.pods.put('new');
        await scene.inStep();
        expire(scene);
        await waitUntil(() => scene.kinds.filter((kind) => kind === 'synced').length > 1, {
          what: 'the second list',
        });
        await scene.inStep();
        expect(scene.requests().filter((kind) => kind === 'watchlist')).to.have.length(2);
      });
    }

    it('RP-7: sees an object that was deleted and made anew while the watch was down', async () => {
      await using scene = await start();
      scene.pods.put('a');
      scene.watch();
      await scene.inStep();
      const before = scene.store.get('a')?.metadata.uid;
      scene.pods.outage = failing(503);
      scene.stub.front.cut();
      await waitUntil(() => scene.health.failures > 1, { what: 'the outage' });
      scene.pods.delete('a');
      scene.pods.put('a');
      scene.pods.compact();
      scene.pods.outage = undefined;
      await scene.inStep();
      expect(scene.store.get('a')?.metadata.uid).to.not.equal(before);
      expect(scene.changes.at(-1)).to.include({ key: 'a' });
      expect(scene.changes.at(-1)?.before?.metadata.uid).to.equal(before);
    });

    const broken: Record<string, string> = {
      'is not JSON': '{"type":"ADDED","object":{"metadata":\n',
      'is no event': '{"hello":"world"}\n',
      'has an unknown type': '{"type":"RENAMED","object":{"metadata":{"name":"x"}}}\n',
      'is about nothing': '{"type":"ADDED","object":null}\n',
      'carries an error that is no Status': '{"type":"ERROR","object":{}}\n',
    };
    for (const [name, line] of Object.entries(broken)) {
      it(`B15: takes a line that ${name} for a broken stream, and loses nothing`, async () => {
        await using scene = await start();
        scene.pods.put('a');
        scene.watch();
        await scene.inStep();
        await scene.reopened(() => {
          scene.pods.writeToWatches(line);
          scene.pods.put('b');
        });
        await scene.inStep();
        expect(scene.kinds.filter((kind) => kind === 'synced')).to.have.length(1);
        expect(scene.health.failures).to.equal(0);
      });
    }

    it('B15: takes a last line that was cut off for a broken stream', async () => {
      await using scene = await start();
      scene.watch();
      await scene.inStep();
      scene.pods.put('b');
      await scene.inStep();
      await scene.reopened(() => {
        scene.pods.writeToWatches('{"type":"DELETED","obj');
        scene.pods.endWatches();
      });
      await scene.inStep();
      expect(scene.store.size).to.equal(1);
    });
  });

  describe('RP-3: while the server', () => {
    const faults: Record<string, Fault> = {
      'answers 401': failing(401),
      'answers 403': failing(403),
      'answers 404, its kinds being loaded': (_request, answer) =>
        refuse(answer, 404, { reason: 'NotFound' }),
      'answers 429': failing(429),
      'answers 429 with Retry-After': (_request, answer) =>
        refuse(answer, 429, { headers: { 'retry-after': '0' } }),
      'answers 500': failing(500),
      'answers 503 in HTML': (_request, answer) => {
        answer.writeHead(503, { 'content-type': 'text/html' });
        answer.end('<html>');
      },
      'answers 504': failing(504),
      'resets the stream': (_request, answer) => answer.stream.close(2),
      'says nothing': () => undefined,
      'ends each watch at once': (_request, answer) => {
        answer.writeHead(200);
        answer.end();
      },
      'answers 200 in HTML': (_request, answer) => {
        answer.writeHead(200);
        answer.end('<html>\n');
      },
    };
    for (const phase of ['first list', 'watch']) {
      for (const [name, fault] of Object.entries(faults)) {
        it(`${name} instead of the ${phase}, tries go on, and the state is right when it has ended`, async () => {
          await using scene = await start({ client: { callTimeoutMs: 300 } });
          scene.pods.put('gone');
          if (phase === 'first list') scene.pods.outage = fault;
          scene.watch();
          if (phase === 'watch') {
            await scene.inStep();
            scene.pods.outage = fault;
            scene.stub.front.cut();
          }
          await waitUntil(() => scene.health.failures >= 3, { what: 'three failures' });
          expect(scene.health.lastError).to.have.property('name', 'KubeError');
          scene.pods.delete('gone');
          scene.pods.put('new');
          scene.pods.outage = undefined;
          await scene.inStep();
          expect(scene.pods.mostWatches).to.equal(1);
          expect(scene.health.lastError).to.equal(undefined);
        });
      }
    }

    it('cannot be reached at all, tries go on too', async () => {
      await using scene = await start();
      scene.pods.put('a');
      scene.watch();
      await scene.inStep();
      await scene.stub.front.close();
      await waitUntil(() => scene.health.failures >= 3, { what: 'three failures' });
    });

    it('answers 410 to every watch, the lists do not follow each other without a pause', async () => {
      await using scene = await start({ options: { backoff: { baseMs: 60_000, maxMs: 60_000, jitter: 0 } } });
      scene.pods.put('a');
      scene.watch();
      await scene.inStep();
      scene.pods.outage = ({ query }, answer) => {
        if (query['sendInitialEvents'] === undefined) return refuse(answer, 410, { reason: 'Expired' });
        answer.writeHead(200);
        const end = {
          metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } },
        };
        answer.end(`${JSON.stringify({ type: 'BOOKMARK', object: end })}\n`);
      };
      scene.pods.endWatches();
      const paused = () => scene.requests().length >= 4 && scene.health.phase === 'waiting';
      await waitUntil(paused, { what: 'a pause after the second 410' });
      expect(scene.requests()).to.deep.equal(['watchlist', 'watch', 'watchlist', 'watch']);
      expect(scene.said).to.deep.equal(['warn: a watch keeps failing; retrying for ever']);
    });

    it('RP-3: has forgotten the version when it comes back after an outage, there is a list at once', async () => {
      await using scene = await start();
      scene.pods.put('a');
      scene.watch();
      await scene.inStep();
      scene.pods.faults.push(failing(503), failing(503), failing(503));
      scene.pods.delete('a');
      scene.pods.compact();
      scene.pods.endWatches();
      await scene.inStep();
      const { error, waitMs } = scene.debugged.at(-1) as { error: KubeError; waitMs: number };
      expect([error.code, waitMs]).to.deep.equal([410, 0]);
    });

    it('RP-3: is gone again right after a list, that is a first failure again; another list waits longer', async () => {
      const backoff = { baseMs: 10, maxMs: 40, jitter: 0 };
      const waits: number[] = [];
      const sleep = (ms: number, signal?: AbortSignal) => {
        if (ms <= backoff.maxMs) waits.push(ms);
        return systemClock.sleep(ms, signal);
      };
      await using scene = await start({ client: { clock: { ...systemClock, sleep } }, options: { backoff } });
      scene.watch();
      for (let lists = 1; lists <= 4; lists += 1) {
        const listed = () => scene.requests().filter((asked) => asked === 'watchlist').length === lists;
        await waitUntil(listed, { what: `list ${lists}` });
        await scene.inStep();
        scene.pods.faults.push(failing(503));
        scene.pods.compact();
        scene.pods.endWatches();
      }
      const failure = 10;
      const expiries = [0, 10, 20];
      expect(waits.slice(0, 6)).to.deep.equal(expiries.flatMap((expiry) => [failure, expiry]));
    });

    it('RP-3: is busy when it comes back after an outage, it is asked again when it says so', async () => {
      await using scene = await start({ options: { backoff: { baseMs: 10, maxMs: 60_000, jitter: 0 } } });
      scene.pods.faults.push(...[503, 503, 503, 503, 429, 429, 503].map(failing));
      scene.watch();
      await scene.inStep();
      const waits = scene.debugged.map((fields) => (fields as { waitMs?: number }).waitMs);
      expect(waits).to.deep.equal([10, 40, 80, 10, 20, 640]);
    });

    it('RP-3: is busy once more after all was well, that is a first time again', async () => {
      await using scene = await start({ options: { backoff: { baseMs: 10, maxMs: 60_000, jitter: 0 } } });
      scene.watch();
      for (let time = 0; time < 3; time += 1) {
        scene.pods.faults.push(failing(429));
        scene.pods.endWatches();
        scene.pods.put(`pod-${time}`);
        await scene.inStep();
      }
      const waits = scene.debugged.map((fields) => (fields as { waitMs?: number }).waitMs);
      expect(waits).to.deep.equal([10, 10, 10]);
    });

    it('asks for more patience, it gets it', async () => {
      await using scene = await start();
      scene.pods.outage = (_request, answer) => refuse(answer, 503, { headers: { 'retry-after': '5' } });
      scene.watch();
      await waitUntil(() => scene.debugged.length > 0, { what: 'the first failure' });
      expect(scene.debugged[0]).to.include({ waitMs: 5000 });
    });

    it('B18: is gone and comes back ten times, there is one watch and no event twice', async () => {
      await using scene = await start();
      scene.watch();
      for (let n = 0; n < 10; n += 1) {
        await scene.inStep();
        scene.pods.outage = failing(503);
        scene.stub.front.cut();
        await waitUntil(() => scene.health.failures >= 2, { what: 'the outage' });
        scene.pods.outage = undefined;
        scene.pods.put(`pod-${n}`);
      }
      await scene.inStep();
      expect(scene.pods.watches).to.equal(1);
      expect(scene.pods.mostWatches).to.equal(1);
      expect(scene.kinds).to.deep.equal(['synced', ...Array.from({ length: 10 }, () => 'applied')]);
    });
  });

  describe('RP-2, B16: when the stream falls silent', () => {
    it('starts it over where it was, without a list', async () => {
      await using scene = await start({ options: { silenceMs: 100 } });
      scene.watch();
      await scene.inStep();
      await waitUntil(() => scene.requests().length > 2, { what: 'two more watches' });
      expect(scene.requests().slice(0, 3)).to.deep.equal(['watchlist', 'watch', 'watch']);
      scene.pods.put('a');
      await scene.inStep();
      expect(scene.kinds).to.deep.equal(['synced', 'applied']);
    });

    it('keeps one that speaks now and then', async () => {
      await using scene = await start({ options: { silenceMs: 400 } });
      scene.watch();
      await scene.inStep();
      for (let n = 0; n < 10; n += 1) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        scene.pods.bookmark();
      }
      expect(scene.requests()).to.deep.equal(['watchlist']);
    });

    it('finds a connection that swallows everything by pings, and goes on over a new one', async () => {
      await using scene = await start({ client: { pingIntervalMs: 50 } });
      scene.watch();
      await scene.inStep();
      scene.stub.front.freeze();
      scene.pods.put('a');
      await scene.inStep();
      expect(scene.stub.front.taken).to.equal(2);
    });
  });

  describe('when it is stopped', () => {
    const phases: Record<string, { prepare: (scene: Scene) => void; reached: (scene: Scene) => boolean }> = {
      'while it waits for the answer to the first list': {
        prepare: ({ pods }) => (pods.outage = () => undefined),
        reached: ({ stub }) => stub.requests.length === 1,
      },
      'in the middle of the first list': {
        prepare: ({ pods }) =>
          (pods.outage = (_request, answer) => {
            answer.writeHead(200);
            answer.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
          }),
        reached: ({ health }) => health.phase === 'listing',
      },
      'between two pages': {
        prepare: (scene) => {
          for (const name of ['a', 'b', 'c']) scene.pods.put(name);
          scene.pods.faults.push(noWatchList, passOn, () => undefined);
        },
        reached: ({ stub }) => stub.requests.length === 3,
      },
      'while it waits for the answer to a watch': {
        prepare: ({ pods }) => {
          pods.hasWatchList = false;
          pods.faults.push(noWatchList, passOn, () => undefined);
        },
        reached: ({ stub }) => stub.requests.length === 3,
      },
      'while the watch runs': { prepare: () => undefined, reached: ({ pods }) => pods.watches === 1 },
      'during a pause': {
        prepare: ({ pods }) => (pods.outage = failing(500)),
        reached: ({ health }) => health.phase === 'waiting',
      },
    };
    for (const [name, { prepare, reached }] of Object.entries(phases)) {
      it(`${name}, it ends at once: no event, no request, no stream`, async () => {
        await using scene = await start({
          options: { pageSize: 2, backoff: { baseMs: 50, maxMs: 50, jitter: 0 } },
        });
        prepare(scene);
        const subscription = scene.watch();
        await waitUntil(() => reached(scene), { what: 'the phase' });
        const events = scene.events.length;
        subscription.unsubscribe();
        const requests = scene.stub.requests.length;
        await waitUntil(() => scene.stub.answering === 0 && scene.health.phase === 'stopped', {
          what: 'the end',
        });
        scene.pods.put('late');
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(scene.stub.requests.length).to.equal(requests);
        expect(scene.events.length).to.equal(events);
      });
    }
  });

  it('keeps what it is told to keep of each object, and asks for metadata only', async () => {
    await using stub = await ApiStub.start();
    const pods = new CollectionStub(stub);
    pods.put('a');
    const seen: WatchEvent<string>[] = [];
    const watching = watchResource(stub.client(), POD, {
      namespace: 'ns',
      labelSelector: 'app=ratify',
      fieldSelector: 'spec.nodeName=n',
      metadataOnly: true,
      project: ({ metadata }) => metadata.name,
      random: () => 0,
    }).subscribe((event) => seen.push(event));
    await waitUntil(() => seen.length === 1, { what: 'the list' });
    pods.put('b');
    await waitUntil(() => seen.length === 2, { what: 'the change' });
    watching.unsubscribe();
    expect(seen).to.deep.equal([
      { kind: 'synced', objects: ['a'], resourceVersion: '2' },
      { kind: 'applied', object: 'b' },
    ]);
    const [request] = stub.requests;
    expect(request?.path).to.equal('/api/v1/namespaces/ns/pods');
    expect(request?.query).to.include({ labelSelector: 'app=ratify', fieldSelector: 'spec.nodeName=n' });
    expect(request?.headers.accept).to.equal('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
  });

  it('takes the events of a moment at once', async () => {
    const moment = Promise.withResolvers<void>();
    let moments = 0;
    const sleep = (ms: number, signal?: AbortSignal) => {
      if (ms >= 1000) return systemClock.sleep(ms, signal);
      moments += 1;
      return moment.promise;
    };
    await using scene = await start({ client: { clock: { ...systemClock, sleep } } });
    scene.watch();
    await waitUntil(() => moments === 1, { what: 'the moment after the list' });
    for (const name of ['a', 'b', 'c']) scene.pods.put(name);
    expect(scene.kinds).to.deep.equal(['synced']);
    moment.resolve();
    await scene.inStep();
    expect(scene.kinds).to.deep.equal(['synced', 'applied', 'applied', 'applied']);
  });

  it('counts lists and failures', async () => {
    const counted: string[] = [];
    const count = (name: string, labels: object) =>
      void counted.push([name, ...Object.values(labels)].join(' '));
    await using scene = await start({
      options: { metrics: { count, observe: () => undefined, gauge: () => undefined } },
    });
    scene.pods.faults.push(failing(503), (_request, answer) => answer.stream.close(2));
    scene.watch();
    await scene.inStep();
    expect(counted).to.deep.equal([
      'kube_watch_failures_total pods 503',
      'kube_watch_failures_total pods Unreachable',
      'kube_watch_lists_total pods',
    ]);
  });
});

type Scene = Awaited<ReturnType<typeof start>>;

interface SceneOptions {
  readonly watchList?: boolean;
  readonly client?: Partial<KubeClientOptions>;
  readonly options?: Partial<WatchOptions<StubObject>>;
}

async function start({ watchList = true, client: clientOptions = {}, options = {} }: SceneOptions = {}) {
  const stub = await ApiStub.start();
  const pods = new CollectionStub(stub);
  pods.hasWatchList = watchList;
  const client = stub.client({ qps: 10_000, burst: 10_000, ...clientOptions });
  const health = new WatchHealth('pods', client.clock);
  const said: string[] = [];
  const debugged: object[] = [];
  const tell = (level: string) => (message: string) => void said.push(`${level}: ${message}`);
  const log: Log = {
    debug: (_message, fields = {}) => void debugged.push(fields),
    info: tell('info'),
    warn: tell('warn'),
    error: tell('error'),
  };
  const store = new Store<StubObject>();
  const events: WatchEvent<StubObject>[] = [];
  const changes: { key: string; before?: StubObject; after?: StubObject }[] = [];
  const subscriptions: Subscription[] = [];
  const watch = (): Subscription => {
    const backoff = { baseMs: 5, maxMs: 20, jitter: 0.2 };
    const stream = watchResource<StubObject>(client, POD, {
      random: () => 0.5,
      backoff,
      health,
      log,
      ...options,
    }).pipe(share());
    const subscription = stream.subscribe((event) => events.push(event));
    subscription.add(stream.pipe(intoStore(store)).subscribe((change) => changes.push(change)));
    subscriptions.push(subscription);
    return subscription;
  };
  return {
    stub,
    pods,
    health,
    said,
    debugged,
    store,
    events,
    changes,
    /** Answers that are held up; calling one lets it go. */
    held: [] as (() => void)[],
    watch,
    get kinds() {
      return events.map(({ kind }) => kind);
    },
    /** What was asked for, in order. */
    requests: () =>
      stub.requests.map(({ query }) =>
        query['watch'] === undefined
          ? 'list'
          : query['sendInitialEvents'] === undefined
            ? 'watch'
            : 'watchlist',
      ),
    /** Waits until a watch is open and the store equals the server. */
    inStep: () =>
      waitUntil(() => pods.watches === 1 && store.synced && isSame([...store.values()], pods.objects), {
        what: 'the store to equal the server',
        everyMs: 5,
      }),
    /** Waits until the watch has been opened anew because of what `act` did. */
    reopened: async (act: () => void) => {
      const before = stub.requests.length;
      act();
      await waitUntil(() => stub.requests.length > before && pods.watches === 1, { what: 'the next watch' });
    },
    [Symbol.asyncDispose]: async () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
      await stub[Symbol.asyncDispose]();
    },
  };
}

function isSame(a: readonly StubObject[], b: readonly StubObject[]): boolean {
  const text = (objects: readonly StubObject[]) =>
    objects
      .map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`)
      .toSorted()
      .join();
  return text(a) === text(b);
}

function failing(code: number): Fault {
  return (_request, answer) => refuse(answer, code);
}

const passOn: Fault = (_request, _answer, proceed) => proceed();
const noWatchList: Fault = (_request, answer) => refuse(answer, 422, { reason: 'Invalid' });
const notInstalled: Fault = (_request, answer) => {
  answer.writeHead(404, { 'content-type': 'text/plain' });
  answer.end('404 page not found\n');
};

/** Holds the answer up until the test lets it go. */
function held(scene: { readonly held: (() => void)[] }): Fault {
  return (_request, _answer, proceed) => void scene.held.push(proceed);
}

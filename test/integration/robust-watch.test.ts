import { expect } from 'chai';
import type { Fault, FaultRule, Network, StreamFault } from '../support/fault-proxy.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Follower } from './robust-follower.ts';
import { RobustStage } from './robust-stage.ts';

/** How often a scenario runs whose line asks for 100 runs; the suite does a few. */
const RUNS = Number(process.env['ROBUST_RUNS'] ?? 10);
const WATCHES = { verb: 'watch', resource: 'namespacedexecutors' };

for (const http1 of [false, true]) {
  describe(`a watch over a hostile network, HTTP/${http1 ? '1.1' : '2'}`, function () {
    this.timeout(120_000);
    const controlPlane = useControlPlane();
    let stage: RobustStage;
    let follower: Follower;
    beforeEach(async () => {
      stage = await RobustStage.open(controlPlane(), { http1 });
    });
    afterEach(() => stage[Symbol.asyncDispose]());

    const most = () => Math.max(...Object.values(stage.proxy.stats().mostWatches));
    const open = () => Object.values(stage.proxy.stats().watches).reduce((sum, count) => sum + count, 0);
    const watching = () => waitUntil(() => open() === 1, { what: 'an open watch' });
    /** Lets a fault happen to the watch, as soon as there is one. */
    const strike = async (fault: StreamFault) => {
      const isStruck = () => stage.proxy.strike(WATCHES, fault) === 1;
      await waitUntil(isStruck, { what: 'a watch that can be struck', everyMs: 5 });
    };
    const opened = () => stage.proxy.seen(WATCHES).length;

    async function begin(options: Parameters<RobustStage['follow']>[1] = {}): Promise<void> {
      follower = stage.follow(undefined, options);
      await follower.synced();
      await watching();
    }

    /** Makes, changes and removes executors, so that a gap has something to miss. */
    async function change(round: number, random: () => number): Promise<void> {
      const name = `executor-${Math.floor(random() * 5)}`;
      const known = Object.hasOwn(await stage.world(), `${stage.namespace}/${name}`);
      if (known && random() < 0.5) await stage.remove(name);
      else await stage.apply(name, { scope: `round-${round}.example` });
    }

    const rounds = http1 ? 20 : 100;
    it(`resumes after ${rounds} cuts without a list, and misses nothing, deletions included (RP-1, B15)`, async () => {
      await begin();
      const random = seededRandom(1);
      for (let round = 0; round < rounds; round++) {
        await strike({ kind: cutKind(round) });
        await change(round, random);
      }
      await follower.equalsServer();
      expect(follower.lists).to.equal(1);
      expect(most()).to.equal(1);
      expect(follower.replayed()).to.deep.equal(follower.world());
    });

    const expiries: Record<string, () => Promise<void>> = {
      'as an event in the stream': () => strike({ kind: 'expired' }),
      'as an answer': () => {
        stage.proxy.fault({ match: WATCHES, kind: 'answer', code: 410, times: 1 });
        return strike({ kind: 'cut' });
      },
    };
    for (const [form, expire] of Object.entries(expiries)) {
      it(`lists once when its version has expired, ${form}, and sees what went meanwhile (RP-1)`, async () => {
        for (const name of ['kept', 'gone', 'changed']) await stage.apply(name);
        await begin();
        const blocked = stage.proxy.fault({ match: WATCHES, kind: 'answer', code: 503 });
        await strike({ kind: 'cut' });
        await waitUntil(() => blocked.hits > 0, { what: 'a failed try' });
        await stage.remove('gone');
        await stage.apply('changed', { scope: 'changed.example' });
        blocked.remove();
        await expire();
        await waitUntil(() => follower.lists === 2, { what: 'a second list' });
        await follower.equalsServer();
        await stage.apply('after');
        await follower.equalsServer();
        expect(follower.lists).to.equal(2);
        expect(most()).to.equal(1);
      });
    }

    it('notices a connection that is half open, and takes another (RP-2, B16)', async () => {
      await stage.apply('before');
      // Over HTTP/1.1 nothing but silence tells; over HTTP/2 the ping of the stage's client does.
      await begin(http1 ? { silenceMs: 500 } : {});
      await strike({ kind: 'drop' });
      await stage.apply('meanwhile');
      await stage.remove('before');
      await follower.equalsServer();
      expect(follower.lists).to.equal(1);
      expect(most()).to.equal(1);
    });

    it('comes back after a network that swallowed everything, new connections too (RP-2, B16)', async () => {
      await begin(http1 ? { silenceMs: 500 } : {});
      await stage.proxy.network('silent');
      await stage.apply('meanwhile');
      await waitUntil(() => follower.health.failures > 0, { what: 'the silence to be noticed' });
      await stage.proxy.heal();
      await follower.equalsServer();
      expect(follower.lists).to.equal(1);
    });

    it('asks for bookmarks and for five to ten minutes, at random (RP-4)', async () => {
      await begin();
      for (let round = 1; round < 12; round++) {
        await strike({ kind: 'cut' });
        await waitUntil(() => opened() > round, { what: 'the next watch' });
      }
      const queries = stage.proxy.seen(WATCHES).map(({ request }) => request.query);
      expect(new Set(queries.map(({ allowWatchBookmarks }) => allowWatchBookmarks))).to.deep.equal(
        new Set(['true']),
      );
      const seconds = queries.map(({ timeoutSeconds }) => Number(timeoutSeconds));
      for (const one of seconds) expect(one).to.be.within(300, 600);
      expect(new Set(seconds).size).to.be.greaterThan(5);
    });

    it('goes on from the last bookmark when the server ends it, with no list, no event and no pause (RP-2, RP-4, B14)', async () => {
      await stage.apply('quiet');
      // The API server sends a bookmark two seconds before the end (k8s.io/apiserver, cacher, nextBookmarkTime).
      await begin({ timeoutSeconds: [4, 4] });
      const unrelated = stage.namespace;
      for (let at = 0; at < 30; at++)
        await controlPlane().admin.call(`POST /api/v1/namespaces/${unrelated}/configmaps`, {
          metadata: { name: `unrelated-${at}` },
        });
      const versions = () =>
        stage.proxy.seen(WATCHES).map(({ request }) => Number(request.query['resourceVersion']));
      // A consistent list makes the API server ask etcd how far unrelated changes have come; else it hears that rarely.
      const moved = async () =>
        Object.keys(await stage.world()).length === 1 &&
        (versions().at(-1) ?? 0) > (versions()[1] ?? Number.POSITIVE_INFINITY);
      await waitUntil(moved, { what: 'a watch that begins at a bookmark', deadlineMs: 40_000 });
      expect(follower.events.map(({ kind }) => kind)).to.deep.equal(['synced']);
      expect(follower.health.failures).to.equal(0);
      expect(most()).to.equal(1);
    });

    const troubles: Record<string, Fault | { readonly network: Network }> = {
      '401': { kind: 'answer', code: 401 },
      '403': { kind: 'answer', code: 403 },
      '429 without Retry-After': { kind: 'answer', code: 429 },
      '429 with Retry-After': { kind: 'answer', code: 429, retryAfterSeconds: 1 },
      '500': { kind: 'answer', code: 500 },
      '503 as a page of HTML': { kind: 'answer', code: 503, form: 'html' },
      'a cut stream': { kind: 'cut' },
      'a reset connection': { kind: 'reset' },
      'a line that is cut off': { kind: 'truncate' },
      'a line that is no JSON': { kind: 'garble' },
      'refused connections': { network: 'refused' },
      'a TLS error': { network: 'tls-error' },
    };
    const begins = async (trouble: (typeof troubles)[string]): Promise<() => number> => {
      if ('network' in trouble) {
        const before = stage.proxy.stats().connectionsEver;
        await stage.proxy.network(trouble.network);
        // A refused connection is not seen by the proxy, but by the watch itself.
        return () =>
          trouble.network === 'refused'
            ? follower.health.failures
            : stage.proxy.stats().connectionsEver - before;
      }
      const rule = stage.proxy.fault({ ...trouble, match: WATCHES });
      return () => rule.hits;
    };
    const tries = (trouble: (typeof troubles)[string]) => ('retryAfterSeconds' in trouble ? 2 : 4);
    // What stands in an answer is the same over both protocols.
    const some = Object.entries(troubles).filter(([name]) => !http1 || !/^\d/.test(name));
    for (const [name, trouble] of some) {
      it(`tries again and again when the first list meets ${name}, and is right afterwards (RP-3, B15)`, async () => {
        await stage.apply('first');
        const hits = await begins(trouble);
        follower = stage.follow();
        await waitUntil(() => hits() >= tries(trouble), { what: 'several tries' });
        expect(follower.store.synced).to.equal(false);
        expect(follower.events).to.deep.equal([]);
        expect(follower.health.lastError).to.be.instanceOf(Error);
        await stage.proxy.heal();
        await follower.synced();
        await stage.apply('second');
        await follower.equalsServer();
        expect(most()).to.equal(1);
        expect(follower.health).to.include({ failures: 0, lastError: undefined });
      });

      it(`tries again and again when an open watch meets ${name}, and misses nothing (RP-3, B15)`, async () => {
        await stage.apply('first');
        await stage.apply('gone');
        await begin();
        const hits = await begins(trouble);
        await strike({ kind: 'reset' });
        await stage.remove('gone');
        await stage.apply('second');
        await waitUntil(() => hits() >= tries(trouble), { what: 'several tries' });
        await stage.proxy.heal();
        await follower.equalsServer();
        expect(follower.lists).to.equal(1);
        expect(most()).to.equal(1);
      });
    }

    it('keeps one watch open through ten outages, and asks no more often than it may (B18)', async () => {
      await begin();
      for (let round = 0; round < 10; round++) {
        await stage.proxy.network('refused');
        await stage.apply('changed', { scope: `round-${round}.example` });
        await waitUntil(() => follower.health.failures > 0, { what: 'a failed try' });
        await stage.proxy.network('up');
        await follower.equalsServer();
        await watching();
      }
      expect(most()).to.equal(1);
      expect(follower.lists).to.equal(1);
      expect(opened()).to.be.at.most(21);
      expect(follower.changes.filter(({ before }) => before !== undefined)).to.have.length(9);
    });

    it('sees that an executor was made anew under its name while it looked away (RP-7)', async () => {
      await stage.apply('again');
      await begin();
      for (let round = 0; round < RUNS; round++) {
        const blocked = stage.proxy.fault({ match: WATCHES, kind: 'answer', code: 503 });
        await strike({ kind: 'cut' });
        const before = follower.store.get(`${stage.namespace}/again`)?.metadata.uid;
        await stage.remove('again');
        const { metadata } = await stage.apply('again');
        // Half of the gaps end with a list that shows only the new one.
        if (round % 2 === 1) stage.proxy.fault({ match: WATCHES, kind: 'answer', code: 410, times: 1 });
        blocked.remove();
        await follower.equalsServer();
        const told = follower.changes.filter((change) => change.after?.metadata.uid === metadata.uid);
        expect(told[0]?.before?.metadata.uid).to.be.oneOf([before, undefined]);
        expect(told.length).to.equal(1);
      }
    });

    it('lists page by page where there is no WatchList, and publishes nothing of a list that breaks (RP-5, B38)', async () => {
      for (let at = 0; at < 7; at++) await stage.apply(`executor-${at}`);
      const lists = { verb: 'list', resource: 'namespacedexecutors' };
      stage.proxy.fault({ match: WATCHES, kind: 'answer', code: 400, times: 1 });
      let page = 0;
      stage.proxy.plan = (request) => {
        if (request.verb !== 'list') return undefined;
        page += 1;
        return SECOND_PAGES[page];
      };
      follower = stage.follow(undefined, { pageSize: 3 });
      await waitUntil(() => page >= 6, { what: 'three lists that broke on their second page' });
      await follower.synced();
      await follower.equalsServer();
      const queries = stage.proxy.seen(lists).map(({ request }) => request.query);
      expect(queries.every(({ limit }) => limit === '3')).to.equal(true);
      expect(queries.filter((query) => query['continue'] === undefined).length).to.equal(4);
      expect(follower.events.map(({ kind }) => kind)).to.deep.equal(['synced']);
    });

    it('asks for pages of 500 (RP-5)', async () => {
      stage.proxy.fault({ match: WATCHES, kind: 'answer', code: 400, times: 1 });
      await begin();
      const [list] = stage.proxy.seen({ verb: 'list', resource: 'namespacedexecutors' });
      expect(list?.request.query['limit']).to.equal('500');
    });

    it('waits for a list that is held up, and publishes it whole (RP-5)', async () => {
      for (let at = 0; at < 5; at++) await stage.apply(`executor-${at}`);
      stage.proxy.fault({ match: WATCHES, kind: 'drip', bytes: 300, everyMs: 10, times: 1 });
      follower = stage.follow();
      await waitUntil(() => stage.proxy.stats().faults['drip'] === 1, { what: 'the slow list' });
      expect(follower.events).to.deep.equal([]);
      await follower.synced();
      expect(follower.store.size).to.equal(5);
    });

    it('stops in every phase without another request', async () => {
      const phases: Record<string, FaultRule> = {
        listing: { match: WATCHES, kind: 'delay', ms: 100, times: 1 },
        stalled: { match: WATCHES, kind: 'stall', times: 1 },
        waiting: { match: WATCHES, kind: 'answer', code: 500, times: 1 },
      };
      for (const [phase, rule] of Object.entries(phases)) {
        const active = stage.proxy.fault(rule);
        const before = opened();
        follower = stage.follow(undefined, { backoff: { baseMs: 60, maxMs: 60, jitter: 0 } });
        await waitUntil(() => active.hits === 1, { what: `the phase ${phase}` });
        follower.stop();
        await waitUntil(() => open() === 0, { what: 'no open watch' });
        const fence = stage.follow();
        await fence.synced();
        fence.stop();
        expect(opened(), phase).to.equal(before + 2);
        expect(follower.events).to.deep.equal([]);
      }
    });
  });
}

const CUTS: readonly StreamFault['kind'][] = ['cut', 'reset', 'end', 'truncate', 'garble'];
/** Truncated and garbled lines need a line that comes; the next change is one. */
const cutKind = (round: number): StreamFault['kind'] => CUTS[round % CUTS.length] ?? 'cut';

/** What the second page of each list meets. */
const SECOND_PAGES: Readonly<Record<number, Fault>> = {
  2: { kind: 'answer', code: 500 },
  4: { kind: 'cut' },
  6: { kind: 'answer', code: 410 },
};

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executorResource, type KubeClient, KubeError, LEASE } from '@executor-status/kube';
import { expect } from 'chai';
import type { FaultRule } from '../support/fault-proxy.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { RobustStage } from './robust-stage.ts';

const EXECUTORS = executorResource('NamespacedExecutor');
const CONFIG_MAP = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

for (const http1 of [false, true]) {
  describe(`a client over a hostile network, HTTP/${http1 ? '1.1' : '2'}`, function () {
    this.timeout(60_000);
    const controlPlane = useControlPlane();
    let stage: RobustStage;
    let client: KubeClient;
    beforeEach(async () => {
      stage = await RobustStage.open(controlPlane(), { http1 });
      client = stage.client({ callTimeoutMs: 1_000 });
      await stage.apply('known');
      const path = `/apis/coordination.k8s.io/v1/namespaces/${stage.namespace}/leases`;
      await controlPlane().admin.call(`POST ${path}`, { metadata: { name: 'renewed' }, spec: lease });
    });
    afterEach(() => stage[Symbol.asyncDispose]());

    const known = () => ({ namespace: stage.namespace, name: 'known' });
    const metadata = (name: string) => ({ namespace: stage.namespace, name });
    const lease = { holderIdentity: 'a', leaseDurationSeconds: 15 };
    /** Every way in which the product calls the API server. */
    const calls: Record<string, () => Promise<unknown>> = {
      get: () => client.get(EXECUTORS, known()),
      list: () => client.list(EXECUTORS, { namespace: stage.namespace }),
      create: () => client.create(LEASE, { metadata: metadata('created'), spec: lease }),
      apply: () =>
        client.apply(
          EXECUTORS,
          { metadata: metadata('known'), status: { succeeded: true } },
          { fieldManager: 'robust', subresource: 'status' },
        ),
      replace: async () => {
        const { metadata: found } = (await client.get<{ metadata: { resourceVersion: string } }>(
          LEASE,
          metadata('renewed'),
        )) ?? { metadata: { resourceVersion: '' } };
        const { resourceVersion } = found;
        return client.replace(LEASE, { metadata: { ...metadata('renewed'), resourceVersion }, spec: lease });
      },
      remove: () => client.remove(EXECUTORS, metadata('known')),
      selfSubjectReview: () => client.selfSubjectReview(),
    };

    // Over HTTP/1.1, which is rare, one call stands for all.
    const some = Object.entries(calls).filter(([name]) => !http1 || name === 'apply');
    for (const [name, call] of some) {
      it(`gives up ${name} at its deadline when nobody answers, and does it when somebody does (B16)`, async () => {
        // Known to work, so that a connection is open that can fall silent.
        await client.get(EXECUTORS, known());
        for (const kind of ['drop', 'stall'] as const) {
          stage.proxy.fault({ kind, match: { verb: VERBS[name] ?? name }, times: 1 });
          const error: unknown = await call().catch((reason: unknown) => reason);
          expect(error, kind).to.be.instanceOf(KubeError);
          expect(error, kind).to.include({ retryable: true, code: undefined });
        }
        await call();
      });
    }

    const refusals: Record<string, { fault: FaultRule; want: Partial<KubeError> }> = {
      'a conflict': { fault: { kind: 'answer', code: 409 }, want: { code: 409, retryable: true } },
      'too many requests, with a time to wait': {
        fault: { kind: 'answer', code: 429, retryAfterSeconds: 3 },
        want: { code: 429, retryable: true, retryAfterMs: 3_000 },
      },
      'too many requests, without one': {
        fault: { kind: 'answer', code: 429 },
        want: { code: 429, retryable: true, retryAfterMs: undefined },
      },
      'a page of HTML': {
        fault: { kind: 'answer', code: 503, form: 'html' },
        want: { code: 503, retryable: true, reason: undefined },
      },
      'a page of HTML with a time to wait': {
        fault: { kind: 'answer', code: 503, form: 'html', retryAfterSeconds: 2 },
        want: { code: 503, retryable: true, retryAfterMs: 2_000 },
      },
      'no right': { fault: { kind: 'answer', code: 403 }, want: { code: 403, retryable: false } },
      'half an answer': { fault: { kind: 'truncate' }, want: { code: undefined, retryable: true } },
      'a lost answer': { fault: { kind: 'lose' }, want: { code: undefined, retryable: true } },
      'a reset': { fault: { kind: 'reset' }, want: { code: undefined, retryable: true } },
    };
    for (const [name, { fault, want }] of Object.entries(refusals)) {
      it(`says of ${name} whether a retry would help, and names no token`, async () => {
        stage.proxy.fault({ ...fault, times: 1 });
        const error: unknown = await calls['apply']?.().catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(KubeError);
        expect(error).to.include(want);
        const token = await readFile(join(stage.directory, 'token'), 'utf8');
        expect(JSON.stringify(error) + String(error)).not.to.include(token.slice(0, 30));
        // Long enough for the server's time to wait to pass.
        expect(
          await client.list(EXECUTORS, { namespace: stage.namespace, timeoutMs: 20_000 }),
        ).to.have.property('items');
      });
    }

    it('tells a conflict from an object that another has taken the place of (GC-2)', async () => {
      const uid = (await client.get<{ metadata: { uid: string } }>(EXECUTORS, known()))?.metadata.uid ?? '';
      stage.proxy.fault({ kind: 'answer', code: 409, match: { verb: 'delete' }, times: 1 });
      const refused: unknown = await client
        .remove(EXECUTORS, { ...known(), uid })
        .catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(KubeError).and.to.include({ code: 409 });
      expect(await client.remove(EXECUTORS, { ...known(), uid: 'of-another' })).to.equal(false);
      expect(await client.remove(EXECUTORS, { ...known(), uid })).to.equal(true);
      expect(await client.remove(EXECUTORS, { ...known(), uid })).to.equal(false);
    });

    it('takes a rotated token with the next request, and once more after a 401 (RP-9, B21)', async () => {
      const follower = stage.follow(client);
      await follower.synced();
      const tokens = [];
      for (let rotation = 0; rotation < 3; rotation++) {
        const [before] = stage.proxy.seen({ verb: 'get' }).slice(-1);
        // The server refuses the old token from now on; the file is replaced only when it has done so once.
        const rule = stage.proxy.fault({
          kind: 'answer',
          code: 401,
          match: { token: before?.request.token ?? (await firstToken(stage)) },
        });
        stage.proxy.strike({ verb: 'watch' }, { kind: 'cut' });
        await waitUntil(() => rule.hits > 0, { what: 'a refused request' });
        const account = { namespace: stage.namespace, serviceAccount: 'default' };
        await writeFile(join(stage.directory, 'token'), await controlPlane().accountToken(account, 600));
        await client.get(EXECUTORS, known());
        await stage.apply(`after-${rotation}`);
        await follower.equalsServer();
        tokens.push(stage.proxy.seen({ verb: 'get' }).at(-1)?.request.token);
      }
      expect(new Set(tokens).size).to.equal(3);
      expect(follower.lists).to.equal(1);
    });

    it('connects anew when the CA has changed, without losing a watch for long (RP-9)', async () => {
      const follower = stage.follow(client);
      await follower.synced();
      for (let rotation = 0; rotation < 2; rotation++) {
        stage.proxy.rotate();
        stage.proxy.resetAll();
        await stage.apply(`after-${rotation}`);
        await waitUntil(() => follower.health.failures > 0, { what: 'a connection that is not trusted' });
        await writeFile(join(stage.directory, 'ca.crt'), stage.proxy.ca);
        await follower.equalsServer();
        expect(await client.get(EXECUTORS, known())).to.not.equal(undefined);
      }
      expect(follower.lists).to.equal(1);
    });

    it('goes on without an error when it is told to go away (B18)', async () => {
      const follower = stage.follow(client);
      await follower.synced();
      stage.proxy.fault({ kind: 'goaway', match: { verb: 'get' } });
      for (let at = 0; at < 20; at++) await client.get(EXECUTORS, known());
      await stage.apply('after');
      await follower.equalsServer();
      expect(follower.lists).to.equal(1);
    });

    it('keeps few connections, however many requests and new watches there are (B19)', async () => {
      const follower = stage.follow(client);
      await follower.synced();
      for (let round = 0; round < 30; round++) {
        await Promise.all(Array.from({ length: 16 }, () => client.get(EXECUTORS, known())));
        const before = stage.proxy.stats().requests['watch namespacedexecutors'] ?? 0;
        stage.proxy.strike({ verb: 'watch' }, { kind: http1 ? 'end' : 'cut' });
        const again = () => (stage.proxy.stats().requests['watch namespacedexecutors'] ?? 0) > before;
        await waitUntil(again, { what: 'the next watch' });
      }
      const { connections, connectionsEver } = stage.proxy.stats();
      // HTTP/1.1 needs one for each request at one time, and one for the watch.
      expect(connections).to.be.at.most(http1 ? 17 : 2);
      expect(connectionsEver).to.be.at.most(http1 ? 60 : 4);
    });

    it('hears its watch while hundreds of writes go on', async () => {
      const follower = stage.follow(client);
      await follower.synced();
      let over = false;
      const writes = Promise.all(
        Array.from({ length: 16 }, async (_, writer) => {
          for (let round = 0; round < 25; round++) {
            const object = { metadata: metadata(`map-${writer}`), data: { round: String(round), pad: PAD } };
            await client.apply(CONFIG_MAP, object, { fieldManager: 'robust', timeoutMs: 20_000 });
          }
        }),
      ).finally(() => {
        over = true;
      });
      let heard = 0;
      while (!over) {
        const { metadata: edited } = await stage.apply('known', { scope: `heard-${heard}.example` });
        const told = () =>
          follower.store.get(`${stage.namespace}/known`)?.metadata.resourceVersion === edited.resourceVersion;
        await waitUntil(told, { what: 'the news of an edit', everyMs: 5 });
        heard += 1;
      }
      await writes;
      expect(heard).to.be.greaterThan(0);
      expect(follower.lists).to.equal(1);
    });
  });
}

/** What the API server calls what the client calls otherwise. */
const VERBS: Readonly<Record<string, string>> = {
  apply: 'patch',
  replace: 'update',
  remove: 'delete',
  selfSubjectReview: 'create',
};

const PAD = 'x'.repeat(20_000);

async function firstToken(stage: RobustStage): Promise<string> {
  const token = await readFile(join(stage.directory, 'token'), 'utf8');
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    readonly jti: string;
  };
  return claims.jti;
}

import { intoStore, type KubeObject, Store, type WatchEvent } from '@executor-status/controller';
import {
  createKubeClient,
  type KubeClient,
  kubeconfigCredentials,
  type Resource,
  resourcePath,
  WatchHealth,
  type WatchOptions,
  watchResource,
} from '@executor-status/kube';
import { expect } from 'chai';
import { type Subscription, share } from 'rxjs';
import { type ControlPlane, startControlPlane } from '../../support/control-plane.ts';
import { useControlPlane } from '../../support/shared-control-plane.ts';
import { waitUntil } from '../../support/wait-until.ts';

const CONFIG_MAPS: Resource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};
const AGENT = 'watch/1';
const BACKOFF = { baseMs: 50, maxMs: 200, jitter: 0.2 };

describe('a watch of the real API server', function () {
  this.timeout(60_000);
  const controlPlane = useControlPlane();
  let scene: Scene;
  beforeEach(async () => {
    scene = await start(controlPlane());
  });
  afterEach(() => scene.close());

  it('RP-5: takes everything in one request by a WatchList, and goes on from there', async () => {
    await scene.put('a');
    await scene.put('b');
    const { audit } = controlPlane();
    const since = await audit.mark();
    scene.watch();
    await scene.inStep();
    await scene.put('c');
    await scene.put('a', 'changed');
    await scene.remove('b');
    await scene.inStep();
    expect(scene.events.map(({ kind }) => kind)).to.deep.equal(['synced', 'applied', 'applied', 'deleted']);
    const asked = await audit.entries({ since, verb: ['list', 'watch'], namespace: scene.namespace });
    const own = asked.filter(({ userAgent }) => userAgent === AGENT);
    expect(own.map(({ verb }) => verb)).to.deep.equal(['watch']);
    expect(own[0]?.uri).to.contain('sendInitialEvents=true');
  });

  it('RP-8: takes metadata only', async () => {
    await scene.put('a', 'x'.repeat(50_000));
    scene.watch({ metadataOnly: true });
    await scene.inStep();
    await scene.put('a', 'y'.repeat(50_000));
    await scene.inStep();
    for (const event of scene.events) expect(JSON.stringify(event).length).to.be.below(4096);
  });

  it('RP-4, B14: outlives the end that the server sets, again and again, without a list or an event', async () => {
    await scene.put('a');
    const { audit } = controlPlane();
    const since = await audit.mark();
    scene.watch({ timeoutSeconds: [1, 1] });
    await scene.inStep();
    await waitUntil(
      () => audit.count({ since, verb: 'watch', namespace: scene.namespace }).then((n) => n >= 4),
      {
        what: 'three more watches',
      },
    );
    expect(scene.events.map(({ kind }) => kind)).to.deep.equal(['synced']);
    const lists = await audit.entries({ since, verb: 'list', namespace: scene.namespace });
    expect(lists.filter(({ userAgent }) => userAgent === AGENT)).to.deep.equal([]);
    expect(scene.health).to.include({ failures: 0, lastError: undefined });
  });

  it('waits for a kind, follows it, and finds it again when it was removed and installed anew', async () => {
    const group = `test-${scene.namespace}.example`;
    const kind: Resource = { group, version: 'v1', plural: 'things', kind: 'Thing', namespaced: true };
    const thing = (name: string) => ({
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name, namespace: scene.namespace },
    });
    scene.watch({}, kind);
    await waitUntil(() => scene.health.failures >= 2, { what: 'two tries' });
    expect(scene.health.synced).to.equal(false);

    for (const round of [1, 2]) {
      await controlPlane().apply([thingCrd(group)]);
      await scene.client.create(kind, thing(`thing-${round}`));
      await waitUntil(() => scene.store.get(`${scene.namespace}/thing-${round}`), {
        what: `thing ${round}`,
        deadlineMs: 30_000,
      });
      expect(scene.store.size).to.equal(1);
      const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await controlPlane().admin.call(`DELETE ${crds}/things.${group}`);
      await waitUntil(() => scene.store.size === 0, { what: 'the objects to be gone', deadlineMs: 30_000 });
      await waitUntil(() => scene.health.failures >= 2, { what: 'the kind to be gone', deadlineMs: 30_000 });
    }
  });
});

describe('a watch whose API server restarts', function () {
  this.timeout(20 * 60_000);
  let controlPlane: ControlPlane;
  let scene: Scene;
  before(async () => {
    controlPlane = await startControlPlane({ controllers: [] });
    scene = await start(controlPlane);
  });
  after(async () => {
    await scene?.close();
    await controlPlane?.stop();
  });

  it('RP-3, B18: goes on where it was after a stop and after a crash, with one watch, and sees what went by', async () => {
    await scene.put('stays');
    await scene.put('goes');
    scene.watch();
    await scene.inStep();
    for (const end of ['stop', 'kill'] as const) {
      await controlPlane.apiServer[end]();
      await waitUntil(() => scene.health.failures >= 2, { what: 'the outage', deadlineMs: 30_000 });
      await controlPlane.apiServer.start();
      const since = await controlPlane.audit.mark();
      await scene.put(`after-${end}`);
      await scene.remove('goes');
      await scene.inStep();
      const watches = await controlPlane.audit.entries({
        since,
        verb: 'watch',
        namespace: scene.namespace,
        code: 200,
      });
      expect(watches.length).to.be.at.most(1);
    }
    expect(scene.store.size).to.equal(3);
  });
});

type Scene = Awaited<ReturnType<typeof start>>;

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** A namespace with ConfigMaps, and a watch of them. */
async function start(controlPlane: ControlPlane) {
  const credentials = await kubeconfigCredentials({ path: controlPlane.kubeconfig, env: {} });
  const client: KubeClient = createKubeClient({ credentials, userAgent: AGENT, callTimeoutMs: 10_000 });
  const namespace = await controlPlane.createNamespace();
  const store = new Store<ConfigMap>();
  const events: WatchEvent<ConfigMap>[] = [];
  const health = new WatchHealth('configmaps', client.clock);
  const subscription: Subscription[] = [];
  return {
    client,
    namespace,
    store,
    events,
    health,
    put: (name: string, text = 'x') =>
      client.apply(CONFIG_MAPS, Object.assign({ metadata: { namespace, name } }, { data: { text } }), {
        fieldManager: 'test',
      }),
    remove: (name: string) => client.remove(CONFIG_MAPS, { namespace, name }),
    watch: (options: Partial<WatchOptions<ConfigMap>> = {}, resource: Resource = CONFIG_MAPS) => {
      const defaults = { namespace, health, random: Math.random, backoff: BACKOFF };
      const stream = watchResource<ConfigMap>(client, resource, { ...defaults, ...options }).pipe(share());
      subscription.push(stream.subscribe((event) => events.push(event)));
      subscription.push(stream.pipe(intoStore(store)).subscribe());
    },
    /** Waits until the store equals the server. */
    inStep: async () => {
      const versions = (objects: Iterable<ConfigMap>) =>
        [...objects]
          .map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
          .toSorted()
          .join();
      await waitUntil(
        async () => {
          const path = resourcePath(CONFIG_MAPS, { namespace });
          const { items } = await controlPlane.admin.call<{ items: ConfigMap[] }>(`GET ${path}`);
          return store.synced && versions(items) === versions(store.values());
        },
        { what: 'the store to equal the server', deadlineMs: 30_000 },
      );
    },
    close: async () => {
      for (const one of subscription) one.unsubscribe();
      await client.close();
    },
  };
}

function thingCrd(group: string) {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

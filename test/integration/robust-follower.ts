import {
  type Change,
  intoStore,
  type KubeObject,
  objectKey,
  Store,
  type WatchEvent,
} from '@executor-status/controller';
import {
  executorResource,
  type KubeClient,
  WatchHealth,
  type WatchOptions,
  watchResource,
} from '@executor-status/kube';
import { type Subscription, tap } from 'rxjs';
import { waitUntil } from '../support/wait-until.ts';

/** The kind that clients watch here: namespaced, so that suites that share a cluster do not meet. */
export const EXECUTORS = executorResource('NamespacedExecutor');

/** What a follower compares itself with. */
export interface Followed {
  readonly namespace: string;
  /** What the API server has. */
  readonly world: () => Promise<World>;
}

/** Objects by key, as `uid@resourceVersion`. */
export type World = Readonly<Record<string, string>>;

/** A store that a watch of the product fills, and everything that was said on the way. */
export class Follower {
  readonly store = new Store<KubeObject>();
  readonly health: WatchHealth;
  readonly changes: Change<KubeObject>[] = [];
  /** Every event of the watch, in order. */
  readonly events: WatchEvent<KubeObject>[] = [];
  readonly #stage: Followed;
  readonly #subscription: Subscription;

  constructor(stage: Followed, client: KubeClient, options: Partial<WatchOptions<KubeObject>>) {
    this.#stage = stage;
    this.health = new WatchHealth(EXECUTORS.plural, client.clock);
    const watch = watchResource(client, EXECUTORS, {
      namespace: stage.namespace,
      random: Math.random,
      health: this.health,
      // So that a hundred failures take seconds.
      backoff: { baseMs: 20, maxMs: 100, jitter: 0.2 },
      ...options,
    });
    this.#subscription = watch
      .pipe(
        tap((event) => this.events.push(event)),
        intoStore(this.store),
      )
      .subscribe((change) => this.changes.push(change));
  }

  /** How many complete lists there were. */
  get lists(): number {
    return this.events.filter(({ kind }) => kind === 'synced').length;
  }

  /** What the store has. */
  world(): World {
    return worldOf(this.store.values());
  }

  /** Waits for the first complete list. */
  async synced(): Promise<void> {
    await waitUntil(() => this.store.synced, { what: 'the first complete list' });
  }

  /** Waits until the store has what the API server has. */
  async equalsServer(deadlineMs = 30_000): Promise<void> {
    const look = async () => {
      const [server, store] = [await this.#stage.world(), this.world()];
      return isSame(server, store) || Promise.reject(new Error(JSON.stringify({ server, store })));
    };
    await waitUntil(look, { what: 'the store to equal the API server', deadlineMs });
  }

  /** What the changes add up to: the same as {@link world}, if each was told once and in its order. */
  replayed(): World {
    const objects = new Map<string, KubeObject>();
    for (const { key, after } of this.changes) {
      if (after === undefined) objects.delete(key);
      else objects.set(key, after);
    }
    return worldOf(objects.values());
  }

  stop(): void {
    this.#subscription.unsubscribe();
  }
}

interface Versioned {
  readonly metadata: KubeObject['metadata'];
}

/** The world that a list of objects is. */
export function worldOf(objects: Iterable<Versioned>): World {
  const entries = [...objects].map(({ metadata }) => [
    objectKey(metadata),
    `${metadata.uid}@${metadata.resourceVersion}`,
  ]);
  return Object.fromEntries(entries.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

const isSame = (a: World, b: World) => JSON.stringify(a) === JSON.stringify(b);

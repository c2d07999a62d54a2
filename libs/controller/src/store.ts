import { objectKey } from './object-key.ts';
import { isOlderVersion } from './resource-version.ts';
import { type IndexFunction, StoreIndex } from './store-index.ts';
import type { KubeObject, WatchEvent } from './watch-event.ts';

/** What became of one object: no `before` if it is new, no `after` if it is gone, two uids if it was replaced. */
export interface Change<T> {
  readonly key: string;
  readonly before?: T;
  readonly after?: T;
}

/**
 * What a watch has said so far, by key and by index.
 *
 * - Empty and not {@link synced} until the first complete list. Decide nothing before.
 * - `synced` replaces the world, so deletes that were missed during an outage show up as changes.
 * - An older version never replaces a newer one, and a late `deleted` of an earlier object of the same name is ignored.
 * - {@link remember} makes an own write visible at once; what the watch says later about older versions is ignored.
 */
export class Store<T extends KubeObject, Index extends string = string> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #indexes: ReadonlyMap<string, StoreIndex<T>>;
  readonly #gone = new Set<string>();
  #synced = false;
  /** The version of the last complete list. */
  #listed: string | undefined;

  /** @param options - `indexes`: by name, under which values an object is found with {@link by}. */
  constructor(options: { readonly indexes?: Readonly<Record<Index, IndexFunction<T>>> } = {}) {
    const named = Object.entries<IndexFunction<T>>(options.indexes ?? {});
    this.#indexes = new Map(named.map(([name, valuesOf]) => [name, new StoreIndex(valuesOf)]));
  }

  /** Whether there has been a complete list. */
  get synced(): boolean {
    return this.#synced;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.object;
  }

  *values(): IterableIterator<T> {
    for (const entry of this.#entries.values()) yield entry.object;
  }

  /**
   * The objects that `index` files under `value`, in no particular order.
   * @throws {RangeError} if there is no such index.
   */
  by(index: Index, value: string): readonly T[] {
    const found = this.#indexes.get(index);
    if (found === undefined) throw new RangeError(`this store has no index "${index}"`);
    return found.get(value);
  }

  /** Takes in what a watch said. Returns what changed by it: nothing for news that is older than what is known. */
  apply(event: WatchEvent<T>): readonly Change<T>[] {
    switch (event.kind) {
      case 'synced':
        return this.#replace(event.objects, event.resourceVersion);
      case 'applied':
        return this.#put(event.object, 'watch');
      case 'deleted':
        return this.#remove(event.object);
    }
  }

  /** Takes in the server's answer to an own write, ahead of the watch (read-your-writes). */
  remember(object: T): readonly Change<T>[] {
    // What is known to be gone must not come back by a late answer.
    return this.#isGone(object) ? [] : this.#put(object, 'own write');
  }

  /** Whether a watch has said that this very object is gone, or a list that was read later did not show it. */
  #isGone({ metadata }: T): boolean {
    if (this.#gone.has(metadata.uid ?? '')) return true;
    return !this.#entries.has(objectKey(metadata)) && isOlderVersion(metadata.resourceVersion, this.#listed);
  }

  #replace(objects: readonly T[], listed: string | undefined): readonly Change<T>[] {
    const world = new Map(objects.map((object) => [objectKey(object.metadata), object]));
    const changes: Change<T>[] = [];
    for (const [key, entry] of this.#entries) {
      if (world.has(key) || isAhead(entry, listed)) continue;
      this.#bury(entry.object.metadata.uid);
      changes.push(this.#set(key, undefined));
    }
    for (const [key, object] of world) {
      this.#gone.delete(object.metadata.uid ?? '');
      const known = this.#entries.get(key);
      if (known !== undefined && isAhead(known, object.metadata.resourceVersion)) continue;
      if (known !== undefined && isSame(known.object, object)) this.#confirm(key, known);
      else changes.push(this.#set(key, { object, from: 'watch' }));
    }
    this.#synced = true;
    this.#listed = listed;
    return changes;
  }

  #put(object: T, from: Entry<T>['from']): readonly Change<T>[] {
    const key = objectKey(object.metadata);
    const known = this.#entries.get(key);
    if (isOlderVersion(object.metadata.resourceVersion, known?.object.metadata.resourceVersion)) return [];
    if (known !== undefined && isSame(known.object, object)) {
      if (from === 'watch') this.#confirm(key, known);
      return [];
    }
    return [this.#set(key, { object, from })];
  }

  #remove(object: T): readonly Change<T>[] {
    const key = objectKey(object.metadata);
    const known = this.#entries.get(key);
    this.#bury(object.metadata.uid);
    if (known === undefined || known.object.metadata.uid !== object.metadata.uid) return [];
    return [this.#set(key, undefined)];
  }

  /** The watch now says what an own write had already told. */
  #confirm(key: string, { object, from }: Entry<T>): void {
    if (from === 'own write') this.#entries.set(key, { object, from: 'watch' });
  }

  #set(key: string, entry: Entry<T> | undefined): Change<T> {
    const before = this.#entries.get(key)?.object;
    const after = entry?.object;
    if (entry === undefined) this.#entries.delete(key);
    else this.#entries.set(key, entry);
    for (const index of this.#indexes.values()) index.move(key, before, after);
    if (before === undefined) return after === undefined ? { key } : { key, after };
    return after === undefined ? { key, before } : { key, before, after };
  }

  #bury(uid: string | undefined): void {
    if (uid === undefined) return;
    this.#gone.add(uid);
    for (const oldest of this.#gone) {
      if (this.#gone.size <= MAX_GONE) break;
      this.#gone.delete(oldest);
    }
  }
}

interface Entry<T> {
  readonly object: T;
  readonly from: 'watch' | 'own write';
}

// Enough for every own write that can be in flight while deletions arrive; a bound, so that it cannot grow for ever.
const MAX_GONE = 1024;

// Only an own write can know more than a complete list. Anything else that looks newer is left over from before the
// server's own clock of versions was set back (etcd restored from a backup), and the list is right.
const isAhead = (entry: Entry<KubeObject>, version: string | undefined) =>
  entry.from === 'own write' && isOlderVersion(version, entry.object.metadata.resourceVersion);

const isSame = (a: KubeObject, b: KubeObject) =>
  a.metadata.uid === b.metadata.uid &&
  a.metadata.resourceVersion !== undefined &&
  a.metadata.resourceVersion === b.metadata.resourceVersion;

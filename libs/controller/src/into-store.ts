import { mergeMap, type OperatorFunction } from 'rxjs';
import type { Change, Store } from './store.ts';
import type { KubeObject, WatchEvent } from './watch-event.ts';

/**
 * Keeps `store` up to date and passes on what changed, one object at a time. The store already holds the whole event
 * when its first change comes out; `store.synced` is true before the changes of the first list do.
 */
export function intoStore<T extends KubeObject, Index extends string>(
  store: Store<T, Index>,
): OperatorFunction<WatchEvent<T>, Change<T>> {
  return mergeMap((event) => store.apply(event));
}

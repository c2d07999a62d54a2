import type { Change, KubeObject, Store, WatchEvent } from '@executor-status/controller';
import { from, type Observable, of } from 'rxjs';
import { nextRound } from './in-turn.ts';

/** So many objects take a few milliseconds. */
const SLICE = 2000;

/**
 * `store.apply(event)`, at once; but a list of many thousands of objects in slices, each in a round of the event loop of its own, so
 * that nothing else waits for all of them. The store is `synced` when all are in, as always. Subscribe in the order of the events.
 */
export function applyEvent<T extends KubeObject, Index extends string>(
  store: Store<T, Index>,
  event: WatchEvent<T>,
): Observable<readonly Change<T>[]> {
  if (event.kind !== 'synced' || event.objects.length <= SLICE) return of(store.apply(event));
  return from(applyList(store, event));
}

async function applyList<T extends KubeObject, Index extends string>(
  store: Store<T, Index>,
  list: Extract<WatchEvent<T>, { kind: 'synced' }>,
): Promise<readonly Change<T>[]> {
  const changes: (readonly Change<T>[])[] = [];
  for (let at = 0; at < list.objects.length; at += SLICE) {
    const slice = list.objects.slice(at, at + SLICE);
    changes.push(slice.flatMap((object) => store.apply({ kind: 'applied', object })));
    await nextRound();
  }
  changes.push(store.apply(list));
  return changes.flat();
}

import { expect } from 'chai';
import { from, lastValueFrom, map, toArray } from 'rxjs';
import { intoStore } from './into-store.ts';
import { Store } from './store.ts';
import type { KubeObject, WatchEvent } from './watch-event.ts';

describe('intoStore', () => {
  const [a, b] = ['a', 'b'].map((name): KubeObject => ({ metadata: { name, uid: name } }));

  it('passes on one change at a time, when the store already holds the whole event', async () => {
    const store = new Store();
    const events: WatchEvent<KubeObject>[] = [
      { kind: 'synced', objects: [a, b].filter((it) => it !== undefined) },
    ];
    const seen = from(events).pipe(
      intoStore(store),
      map(({ key }) => ({ key, size: store.size, synced: store.synced })),
      toArray(),
    );
    expect(await lastValueFrom(seen)).to.deep.equal([
      { key: 'a', size: 2, synced: true },
      { key: 'b', size: 2, synced: true },
    ]);
  });
});

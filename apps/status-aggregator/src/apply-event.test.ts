import { Store } from '@executor-status/controller';
import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { applyEvent } from './apply-event.ts';

const thing = (at: number, resourceVersion: string) => ({
  metadata: { name: `thing-${at}`, uid: `uid-${at}`, resourceVersion },
});
const things = (count: number, resourceVersion = '1') =>
  Array.from({ length: count }, (_, at) => thing(at, resourceVersion));

describe('applyEvent', () => {
  it('applies what is small at once', () => {
    const store = new Store();
    applyEvent(store, { kind: 'synced', objects: things(3) }).subscribe();
    expect([store.synced, store.size]).to.deep.equal([true, 3]);
  });

  it('applies a large list while other things go on, and is synced when all of it is in', async () => {
    const store = new Store();
    const done = lastValueFrom(applyEvent(store, { kind: 'synced', objects: things(10_000) }));
    const seen: number[] = [];
    const look = () => {
      if (store.synced) return;
      seen.push(store.size);
      setImmediate(look);
    };
    setImmediate(look);
    const changes = await done;
    expect(seen).to.deep.equal([4000, 6000, 8000, 10_000]);
    expect(changes).to.have.length(10_000);
    expect([store.synced, store.size]).to.deep.equal([true, 10_000]);
  });

  it('tells of what a large list has changed and of what it has no more, each once', async () => {
    const store = new Store();
    await lastValueFrom(applyEvent(store, { kind: 'synced', objects: things(5000) }));
    const objects = [...things(4000).slice(1), thing(4999, '2')];
    const changes = await lastValueFrom(applyEvent(store, { kind: 'synced', objects }));
    expect(changes.filter(({ after }) => after !== undefined).map(({ key }) => key)).to.deep.equal([
      'thing-4999',
    ]);
    expect(changes.filter(({ after }) => after === undefined)).to.have.length(1000);
    expect(store.size).to.equal(4000);
  });
});

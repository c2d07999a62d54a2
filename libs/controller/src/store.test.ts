import { expect } from 'chai';
import fc from 'fast-check';
import { Store } from './store.ts';
import type { KubeObject, WatchEvent } from './watch-event.ts';

interface Thing extends KubeObject {
  readonly color?: string;
}

describe('Store', () => {
  it('is not synced before the first complete list', () => {
    const store = new Store<Thing>();
    store.apply({ kind: 'applied', object: thing('a') });
    expect(store.synced).to.equal(false);
    store.apply(synced());
    expect(store.synced).to.equal(true);
  });

  it('tells of each new, changed and removed object once', () => {
    const store = new Store<Thing>();
    const one = thing('a', { rv: 1 });
    const two = thing('a', { rv: 2 });
    expect(store.apply({ kind: 'applied', object: one })).to.deep.equal([{ key: 'a', after: one }]);
    expect(store.apply({ kind: 'applied', object: one })).to.deep.equal([]);
    expect(store.apply({ kind: 'applied', object: two })).to.deep.equal([
      { key: 'a', before: one, after: two },
    ]);
    expect(store.apply({ kind: 'deleted', object: two })).to.deep.equal([{ key: 'a', before: two }]);
    expect(store.apply({ kind: 'deleted', object: two })).to.deep.equal([]);
    expect([...store.values()]).to.deep.equal([]);
  });

  it('keeps objects of one name in two namespaces apart', () => {
    const store = new Store<Thing>();
    store.apply(synced(thing('a', { namespace: 'x' }), thing('a', { namespace: 'y' })));
    expect(store.size).to.equal(2);
    expect(store.get('x/a')?.metadata.namespace).to.equal('x');
  });

  describe('when the world comes again', () => {
    it('tells of what vanished, what changed and what is new, and of nothing else', () => {
      const store = new Store<Thing>();
      const [same, old, gone] = [thing('same', { rv: 1 }), thing('old', { rv: 2 }), thing('gone', { rv: 3 })];
      store.apply(synced(same, old, gone));
      const [changed, fresh] = [thing('old', { rv: 9 }), thing('fresh', { rv: 8 })];
      expect(store.apply(synced(same, changed, fresh))).to.have.deep.members([
        { key: 'gone', before: gone },
        { key: 'old', before: old, after: changed },
        { key: 'fresh', after: fresh },
      ]);
    });

    it('RP-7: sees an object that was deleted and made anew in the gap, 100 of 100', () => {
      const store = new Store<Thing>();
      for (let round = 1; round <= 100; round += 1) {
        const before = thing('a', { uid: `uid-${round}`, rv: 2 * round, generation: 1 });
        const after = thing('a', { uid: `uid-${round}-anew`, rv: 2 * round + 1, generation: 1 });
        store.apply(synced(before));
        expect(store.apply(synced(after))).to.deep.equal([{ key: 'a', before, after }]);
      }
    });

    it('believes a list whose versions were set back, as after a restored backup', () => {
      const store = new Store<Thing>();
      store.apply(synced(thing('a', { rv: 500 }), thing('b', { rv: 501 })));
      const restored = thing('a', { rv: 100 });
      store.apply({ kind: 'synced', objects: [restored], resourceVersion: '120' });
      expect([...store.values()]).to.deep.equal([restored]);
    });
  });

  describe('RP-7: when objects replace each other under one name', () => {
    it('tells one change with both uids', () => {
      const store = new Store<Thing>();
      const [first, second] = [thing('a', { uid: 'u1', rv: 1 }), thing('a', { uid: 'u2', rv: 3 })];
      store.apply({ kind: 'applied', object: first });
      expect(store.apply({ kind: 'applied', object: second })).to.deep.equal([
        { key: 'a', before: first, after: second },
      ]);
    });

    it('ignores the late delete of the first one', () => {
      const store = new Store<Thing>();
      store.apply({ kind: 'applied', object: thing('a', { uid: 'u2', rv: 3 }) });
      expect(store.apply({ kind: 'deleted', object: thing('a', { uid: 'u1', rv: 2 }) })).to.deep.equal([]);
      expect(store.get('a')?.metadata.uid).to.equal('u2');
    });
  });

  describe('FB-2: when the server has answered an own write', () => {
    it('holds the answer at once, and lets no older news over it', () => {
      const store = new Store<Thing>();
      store.apply(synced(thing('a', { rv: 1 })));
      store.remember(thing('a', { rv: 5 }));
      expect(store.apply({ kind: 'applied', object: thing('a', { rv: 3 }) })).to.deep.equal([]);
      expect(store.get('a')?.metadata.resourceVersion).to.equal('5');
      expect(store.apply({ kind: 'applied', object: thing('a', { rv: 5 }) })).to.deep.equal([]);
    });

    it('ends in "good" for good, bad, good while the watch lags behind, 1,000 of 1,000', () => {
      const store = new Store<Thing>();
      const late: WatchEvent<Thing>[] = [];
      for (let round = 0; round < 1000; round += 1) {
        ['good', 'bad', 'good'].forEach((color, step) => {
          const written = thing('a', { rv: 3 * round + step + 1, color });
          store.remember(written);
          late.push({ kind: 'applied', object: written });
        });
        if (round % 10 === 9) for (const event of late.splice(0)) store.apply(event);
        expect(store.get('a')?.color).to.equal('good');
      }
    });

    it('keeps it over a list that was read before', () => {
      const store = new Store<Thing>();
      store.apply(synced(thing('a', { rv: 1 })));
      store.remember(thing('a', { rv: 5 }));
      store.remember(thing('made', { rv: 6 }));
      const list: WatchEvent<Thing> = {
        kind: 'synced',
        objects: [thing('a', { rv: 1 })],
        resourceVersion: '4',
      };
      expect(store.apply(list)).to.deep.equal([]);
      expect(store.get('a')?.metadata.resourceVersion).to.equal('5');
      expect(store.get('made')?.metadata.resourceVersion).to.equal('6');
    });

    it('gives way to a list that was read after', () => {
      const store = new Store<Thing>();
      store.apply(synced());
      store.remember(thing('made', { rv: 6 }));
      expect(store.apply({ kind: 'synced', objects: [], resourceVersion: '7' })).to.have.length(1);
      expect(store.size).to.equal(0);
    });

    it('does not raise an object from the dead', () => {
      const store = new Store<Thing>();
      store.apply({ kind: 'deleted', object: thing('a', { uid: 'u1', rv: 9 }) });
      expect(store.remember(thing('a', { uid: 'u1', rv: 8 }))).to.deep.equal([]);
      expect(store.remember(thing('a', { uid: 'u2', rv: 10 }))).to.have.length(1);
    });
  });

  describe('RP-7: when an answer comes late', () => {
    const late = thing('a', { uid: 'u1', rv: 5 });
    const relist = (resourceVersion: string, ...objects: Thing[]): WatchEvent<Thing> => ({
      kind: 'synced',
      objects,
      resourceVersion,
    });
    const gaps: Record<string, readonly WatchEvent<Thing>[]> = {
      'a new list did not show it any more': [relist('5', late), relist('100')],
      'it was deleted, and a new list came': [
        relist('5', late),
        { kind: 'deleted', object: thing('a', { uid: 'u1', rv: 6 }) },
        relist('100'),
      ],
      'it came and went between two lists': [relist('4'), relist('100')],
      'versions cannot be compared': [relist('x', late), relist('y')],
    };
    for (const [name, events] of Object.entries(gaps)) {
      it(`does not bring an object back when ${name}`, () => {
        const store = new Store<Thing>();
        for (const event of events) store.apply(event);
        expect(store.remember(late)).to.deep.equal([]);
        expect(store.size).to.equal(0);
      });
    }

    it('takes an object that is newer than the last list', () => {
      const store = new Store<Thing>();
      store.apply(relist('100'));
      expect(store.remember(thing('a', { rv: 101 }))).to.have.length(1);
    });

    it('takes an object again that a list shows again, as after a restored backup', () => {
      const store = new Store<Thing>();
      store.apply({ kind: 'deleted', object: late });
      store.apply(relist('5', late));
      expect(store.remember(thing('a', { uid: 'u1', rv: 7 }))).to.have.length(1);
    });
  });

  describe('by', () => {
    const indexes = {
      color: (object: Thing) => object.color,
      letters: (object: Thing) => object.metadata.name.split(''),
    };

    it('finds objects by one value or by many', () => {
      const store = new Store({ indexes });
      store.apply(synced(thing('ab', { color: 'red' }), thing('bc', { color: 'blue' }), thing('c')));
      expect(names(store.by('color', 'red'))).to.deep.equal(['ab']);
      expect(names(store.by('letters', 'b'))).to.have.members(['ab', 'bc']);
      expect(store.by('color', 'green')).to.deep.equal([]);
    });

    it('refuses an index that was not declared', () => {
      const store = new Store<Thing>({ indexes });
      expect(() => store.by('size', '1')).to.throw(RangeError, 'no index "size"');
    });

    it('agrees with a plain search, whatever happened before', () => {
      fc.assert(
        fc.property(fc.array(anyEvent(), { maxLength: 40 }), (events) => {
          const store = new Store<Thing, 'color' | 'letters'>({ indexes });
          for (const event of events) store.apply(event);
          for (const color of COLORS) {
            const want = names([...store.values()].filter((object) => object.color === color));
            expect(names(store.by('color', color))).to.have.members(want);
          }
        }),
      );
    });
  });

  it('DT-2: equals the server after the last list, whatever the order of events before', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent(), { maxLength: 40 }),
        fc.array(anyThing(), { maxLength: 8 }),
        (events, last) => {
          const store = new Store<Thing>();
          for (const event of events) store.apply(event);
          const world = [...new Map(last.map((object) => [object.metadata.name, object])).values()];
          store.apply(synced(...world));
          expect([...store.values()]).to.have.deep.members(world);
        },
      ),
    );
  });
});

const COLORS = ['red', 'blue'];

function thing(
  name: string,
  fields: { namespace?: string; uid?: string; rv?: number; generation?: number; color?: string } = {},
): Thing {
  const { namespace, uid = `uid-${name}`, rv, generation, color } = fields;
  return {
    metadata: {
      name,
      uid,
      ...(namespace !== undefined && { namespace }),
      ...(rv !== undefined && { resourceVersion: `${rv}` }),
      ...(generation !== undefined && { generation }),
    },
    ...(color !== undefined && { color }),
  };
}

function synced(...objects: Thing[]): WatchEvent<Thing> {
  return { kind: 'synced', objects };
}

const names = (objects: readonly Thing[]) => objects.map((object) => object.metadata.name);

function anyThing(): fc.Arbitrary<Thing> {
  const fields = { name: fc.constantFrom('a', 'ab', 'c'), uid: fc.constantFrom('u1', 'u2'), rv: fc.nat(30) };
  // One version of one object always looks the same.
  return fc.record(fields).map(({ name, uid, rv }) => thing(name, { uid, rv, color: COLORS[rv % 2] ?? '' }));
}

function anyEvent(): fc.Arbitrary<WatchEvent<Thing>> {
  const one = anyThing();
  return fc.oneof(
    one.map((object): WatchEvent<Thing> => ({ kind: 'applied', object })),
    one.map((object): WatchEvent<Thing> => ({ kind: 'deleted', object })),
    fc.array(one, { maxLength: 4 }).map((objects): WatchEvent<Thing> => synced(...objects)),
  );
}

import { expect } from 'chai';
import { from, lastValueFrom, toArray } from 'rxjs';
import type { KubeObject, WatchEvent } from './watch-event.ts';
import { generation, whenChanged } from './when-changed.ts';

describe('whenChanged', () => {
  const cases: Record<string, { events: WatchEvent<KubeObject>[]; want: number[] }> = {
    'drops an object whose property is as it was': { events: [applied('u', 1), applied('u', 1)], want: [0] },
    'passes an object whose property changed': { events: [applied('u', 1), applied('u', 2)], want: [0, 1] },
    'passes a property that goes back': { events: [applied('u', 2), applied('u', 1)], want: [0, 1] },
    'passes an object that lacks the property': { events: [applied('u'), applied('u')], want: [0, 1] },
    'knows what the list held': { events: [synced('u', 1), applied('u', 1)], want: [0] },
    'passes every list': { events: [synced('u', 1), synced('u', 1)], want: [0, 1] },
    'forgets what a list no longer holds': {
      events: [applied('u', 1), synced('v', 1), applied('u', 1)],
      want: [0, 1, 2],
    },
    'forgets a deleted object': {
      events: [applied('u', 1), deleted('u', 1), applied('u', 1)],
      want: [0, 1, 2],
    },
    'RP-7: passes an object made anew under one name with one generation': {
      events: [applied('u1', 1), deleted('u1', 1), applied('u2', 1)],
      want: [0, 1, 2],
    },
    'RP-7: also when its delete was missed': { events: [applied('u1', 1), applied('u2', 1)], want: [0, 1] },
  };

  for (const [name, { events, want }] of Object.entries(cases)) {
    it(name, async () => {
      const passed = await lastValueFrom(from(events).pipe(whenChanged(generation), toArray()));
      expect(passed.map((event) => events.indexOf(event))).to.deep.equal(want);
    });
  }

  it('starts afresh for each subscription', async () => {
    const stream = from([applied('u', 1)]).pipe(whenChanged(generation), toArray());
    expect(await lastValueFrom(stream)).to.have.length(1);
    expect(await lastValueFrom(stream)).to.have.length(1);
  });
});

function object(uid: string, at?: number): KubeObject {
  return { metadata: { name: 'a', uid, ...(at !== undefined && { generation: at }) } };
}

function applied(uid: string, at?: number): WatchEvent<KubeObject> {
  return { kind: 'applied', object: object(uid, at) };
}

function deleted(uid: string, at?: number): WatchEvent<KubeObject> {
  return { kind: 'deleted', object: object(uid, at) };
}

function synced(uid: string, at?: number): WatchEvent<KubeObject> {
  return { kind: 'synced', objects: [object(uid, at)] };
}

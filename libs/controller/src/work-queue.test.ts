import { expect } from 'chai';
import fc from 'fast-check';
import { type Work, WorkQueue } from './work-queue.ts';

describe('WorkQueue', () => {
  it('hands out keys in the order they came', () => {
    expect(drain(queueOf('a', 'b', 'c'))).to.deep.equal(['a', 'b', 'c']);
  });

  it('RP-6: lets a waiting key wait once, however often it is asked for', () => {
    const queue = new WorkQueue();
    expect(queue.add('a')).to.equal(true);
    for (let n = 0; n < 10_000; n += 1) expect(queue.add('a')).to.equal(false);
    expect(queue.waiting).to.equal(1);
  });

  it('RP-6: puts a user edit before resync work', () => {
    expect(drain(queueOf(low('r1'), low('r2'), 'edit'))).to.deep.equal(['edit', 'r1', 'r2']);
  });

  it('RP-6: moves a key up when a user edits it while it waits for a resync, but not down', () => {
    expect(drain(queueOf(low('r1'), low('r2'), 'r2', 'edit', low('edit')))).to.deep.equal([
      'r2',
      'edit',
      'r1',
    ]);
  });

  it('runs a key once more if it was asked for meanwhile, with the greatest urgency asked for', () => {
    const queue = queueOf('a');
    queue.take(0);
    expect([queue.add(low('a')), queue.add('a'), queue.add(low('a'))]).to.deep.equal([false, false, false]);
    expect(queue.done('a')).to.equal(true);
    queue.add(low('b'));
    expect(drain(queue)).to.deep.equal(['a', 'b']);
  });

  it('tells how long the longest run has lasted', () => {
    const queue = queueOf('a', 'b');
    queue.take(100);
    queue.take(300);
    expect([queue.longestMs(500), queue.running]).to.deep.equal([400, 2]);
    queue.done('a');
    expect(queue.longestMs(500)).to.equal(200);
    queue.done('b');
    expect(queue.longestMs(500)).to.equal(0);
  });

  it('DT-2: never runs a key twice at once and never loses one, whatever the order of calls', () => {
    const call = fc.record({
      what: fc.constantFrom('add', 'take', 'done'),
      key: fc.constantFrom('a', 'b', 'c'),
      priority: fc.constantFrom('normal' as const, 'low' as const),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const queue = new WorkQueue();
        const owed = new Set<string>();
        const running = new Set<string>();
        for (const { what, key, priority } of calls) {
          if (what === 'add') {
            queue.add({ key, priority });
            owed.add(key);
          } else if (what === 'take') {
            const taken = queue.take(0);
            expect(running.has(taken ?? '')).to.equal(false);
            if (taken !== undefined) running.add(taken);
            owed.delete(taken ?? '');
          } else if (running.delete(key)) queue.done(key);
        }
        for (const key of running) queue.done(key);
        expect(drain(queue)).to.have.members([...owed]);
      }),
    );
  });
});

const low = (key: string): Work => ({ key, priority: 'low' });

function queueOf(...work: Work[]): WorkQueue {
  const queue = new WorkQueue();
  for (const wanted of work) queue.add(wanted);
  return queue;
}

function drain(queue: WorkQueue): string[] {
  const keys: string[] = [];
  for (let key = queue.take(0); key !== undefined; key = queue.take(0)) keys.push(key);
  return keys;
}

import { expect } from 'chai';
import { type Subscription, VirtualTimeScheduler } from 'rxjs';
import { KeyTimers } from './key-timers.ts';

describe('KeyTimers', () => {
  const DAY_MS = 86_400_000;

  it('lets each key come due once, at its time', () => {
    const { timers, scheduler, rang } = listening();
    timers.set('b', 20);
    timers.set('a', 10);
    scheduler.flush();
    expect(rang).to.deep.equal(['a at 10', 'b at 20']);
    expect(timers.size).to.equal(0);
  });

  it('lets a later setting replace an earlier one, whether sooner or later', () => {
    const { timers, scheduler, rang } = listening();
    timers.set('a', 10);
    timers.set('a', 30);
    timers.set('b', 30);
    timers.set('b', 10);
    scheduler.flush();
    expect(rang).to.deep.equal(['b at 10', 'a at 30']);
  });

  it('keeps quiet about a key that was cleared', () => {
    const { timers, scheduler, rang } = listening();
    timers.set('a', 10);
    timers.clear('a');
    timers.clear('never set');
    scheduler.flush();
    expect(rang).to.deep.equal([]);
  });

  it('takes a time that has passed for now', () => {
    const { timers, scheduler, rang } = listening();
    timers.set('a', -5);
    expect(rang).to.deep.equal([]);
    scheduler.flush();
    expect(rang).to.deep.equal(['a at 0']);
  });

  it('waits longer than one timer of the system can', () => {
    const { timers, scheduler, rang } = listening();
    timers.set('a', 100 * DAY_MS);
    scheduler.flush();
    expect(rang).to.deep.equal([`a at ${100 * DAY_MS}`]);
  });

  it('clears all alarms when its listener leaves', () => {
    const { timers, listener } = listening();
    timers.set('a', 10);
    listener.unsubscribe();
    expect(timers.size).to.equal(0);
  });
});

function listening(): {
  timers: KeyTimers;
  scheduler: VirtualTimeScheduler;
  rang: string[];
  listener: Subscription;
} {
  const scheduler = new VirtualTimeScheduler();
  const timers = new KeyTimers(scheduler);
  const rang: string[] = [];
  const listener = timers.due.subscribe((key) => rang.push(`${key} at ${scheduler.now()}`));
  return { timers, scheduler, rang, listener };
}

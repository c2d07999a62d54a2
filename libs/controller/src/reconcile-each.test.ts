import { expect } from 'chai';
import {
  concat,
  defer,
  finalize,
  from,
  lastValueFrom,
  map,
  NEVER,
  type Observable,
  of,
  Subject,
  take,
  throwError,
  timer,
  toArray,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { type ReconcileOptions, reconcileEach } from './reconcile-each.ts';
import { type Work, WorkQueue } from './work-queue.ts';

describe('reconcileEach', () => {
  it('runs different keys at once, up to the concurrency', () => {
    virtually(({ cold, expectObservable }) => {
      const done = cold('(abc)').pipe(
        reconcileEach(() => timer(5), { concurrency: 2 }),
        brief(),
      );
      expectObservable(done).toBe('5ms (ab) 1ms c', { a: 'a', b: 'b', c: 'c' });
    });
  });

  it('OP-2: measures runs by the clock that it is given, whatever the wall clock does', async () => {
    let monotonicMs = 1000;
    const queue = new WorkQueue();
    const work = new Subject<string>();
    const ended = Promise.withResolvers<void>();
    const options = { concurrency: 1, queue, now: () => monotonicMs };
    const done = lastValueFrom(work.pipe(reconcileEach(() => ended.promise, options)));
    work.next('a');
    monotonicMs += 400;
    expect(queue.longestMs(monotonicMs)).to.equal(400);
    ended.resolve();
    work.complete();
    expect(await done).to.include({ key: 'a', tookMs: 400 });
  });

  it('collapses a burst for one key into one run', () => {
    virtually(({ cold, expectObservable }) => {
      const work = concat(of('b'), cold('(aaaa)'), NEVER);
      expectObservable(
        work.pipe(
          reconcileEach(() => timer(5), { concurrency: 1 }),
          brief(),
        ),
      ).toBe('5ms b 4ms a');
    });
  });

  it('runs once more for what is asked during a run, and lets other keys go first', () => {
    virtually(({ hot, expectObservable }) => {
      const work = hot('a-aab');
      expectObservable(
        work.pipe(
          reconcileEach(() => timer(10), { concurrency: 1 }),
          brief(),
        ),
      ).toBe('10ms a 9ms b 9ms a');
    });
  });

  it('RP-6: answers 10,000 events on one key within a second by at most two further runs, never two at once', () => {
    virtually(({ flush }) => {
      const seen = watchRuns((key) => timer(key === 'busy' ? 600 : 1));
      const events = new Subject<string>();
      const listener = events.pipe(reconcileEach(seen.reconcile, { concurrency: 2 })).subscribe();
      events.next('busy');
      timer(0, 0.1)
        .pipe(take(10_000))
        .subscribe(() => events.next('busy'));
      for (let n = 0; n < 10; n += 1) timer(n * 100).subscribe(() => events.next(`other-${n}`));
      flush();
      expect(seen.runs.filter((key) => key === 'busy').length).to.be.within(2, 3);
      expect(seen.most('busy')).to.equal(1);
      expect(seen.runs.filter((key) => key.startsWith('other-'))).to.have.length(10);
      listener.unsubscribe();
    });
  });

  it('RP-6: runs a user edit before the resync work that waits', () => {
    virtually(({ cold, expectObservable }) => {
      const resync = ['r', 's', 't'].map((key): Work => ({ key, priority: 'low' }));
      const work = concat(from(resync), cold('--e'));
      expectObservable(
        work.pipe(
          reconcileEach(() => timer(5), { concurrency: 1 }),
          brief(),
        ),
      ).toBe('5ms r 4ms e 4ms s 4ms t');
    });
  });

  it('turns an error into a value, whether it is thrown, rejected or emitted, and goes on', async () => {
    const fault = new Error('no');
    const ways: Record<string, () => Observable<never> | Promise<never>> = {
      thrown: () => {
        throw fault;
      },
      rejected: () => Promise.reject(fault),
      emitted: () => throwError(() => fault),
    };
    const run = (key: string) => ways[key]?.() ?? of(key);
    const done = from([...Object.keys(ways), 'fine']).pipe(reconcileEach(run, { concurrency: 1 }), toArray());
    expect((await lastValueFrom(done)).map(({ key, error }) => ({ key, error }))).to.deep.equal([
      ...Object.keys(ways).map((key) => ({ key, error: fault })),
      { key: 'fine', error: undefined },
    ]);
  });

  describe('after a failure', () => {
    const options: ReconcileOptions = { concurrency: 1, retryAfterMs: (_error, attempt) => 10 * attempt };

    it('brings the key back, later each time, and starts over after a success', () => {
      virtually(({ cold, expectObservable }) => {
        let failures = 3;
        const run = () => ((failures -= 1) === 0 ? of(1) : throwError(() => new Error('no')));
        expectObservable(concat(cold('a'), NEVER).pipe(reconcileEach(run, options), brief())).toBe(
          'x 9ms y 19ms a',
          { x: 'a failed', y: 'a failed', a: 'a' },
        );
      });
    });

    it('runs at once for new work, instead of the retry', () => {
      virtually(({ hot, expectObservable }) => {
        let failures = 1;
        const run = () => ((failures -= 1) >= 0 ? throwError(() => new Error('no')) : of(1));
        expectObservable(hot('a---a').pipe(reconcileEach(run, options), brief())).toBe('x---a', {
          x: 'a failed',
          a: 'a',
        });
      });
    });

    it('leaves a key alone that no retry can help', () => {
      virtually(({ hot, expectObservable }) => {
        const run = () => throwError(() => new Error('no'));
        const never: ReconcileOptions = { concurrency: 1, retryAfterMs: () => undefined };
        expectObservable(hot('a').pipe(reconcileEach(run, never), brief())).toBe('x', { x: 'a failed' });
      });
    });

    it('counts the failures in a row', async () => {
      const queue = new Subject<string>();
      const attempts: (number | undefined)[] = [];
      let fail = true;
      const run = () => (fail ? throwError(() => new Error('no')) : of(1));
      const listener = queue
        .pipe(reconcileEach(run, options))
        .subscribe(({ attempt }) => attempts.push(attempt));
      queue.next('a');
      queue.next('a');
      fail = false;
      queue.next('a');
      fail = true;
      queue.next('a');
      listener.unsubscribe();
      expect(attempts).to.deep.equal([1, 2, undefined, 1]);
    });
  });

  describe('at the end', () => {
    const failing = () => throwError(() => new Error('no'));

    it('finishes what waits, drops retries and completes', () => {
      virtually(({ cold, expectObservable }) => {
        const run = (key: string) => (key === 'a' ? failing() : timer(5));
        const options: ReconcileOptions = { concurrency: 1, retryAfterMs: () => 100 };
        expectObservable(cold('(abc|)').pipe(reconcileEach(run, options), brief())).toBe('x 4ms b 4ms (c|)', {
          x: 'a failed',
          b: 'b',
          c: 'c',
        });
      });
    });

    it('starts nothing more once unsubscribed', () => {
      virtually(({ hot, flush }) => {
        const seen = watchRuns(() => timer(5));
        const work = hot('(abc)-a');
        const listener = work.pipe(reconcileEach(seen.reconcile, { concurrency: 1 })).subscribe();
        timer(3).subscribe(() => listener.unsubscribe());
        flush();
        expect(seen.runs).to.deep.equal(['a']);
      });
    });

    it('leaves no timer behind', () => {
      virtually(({ hot, expectSubscriptions, expectObservable }) => {
        const work = hot('a');
        const options: ReconcileOptions = { concurrency: 1, retryAfterMs: () => 10 };
        const done = work.pipe(reconcileEach(failing, options), brief());
        expectObservable(done, '^ 4ms !').toBe('x', { x: 'a failed' });
        expectSubscriptions(work.subscriptions).toBe('^ 4ms !');
      });
    });
  });

  it('shows in the queue that it was given what waits and what runs', () => {
    const queue = new WorkQueue();
    const work = new Subject<string>();
    const listener = work.pipe(reconcileEach(() => NEVER, { concurrency: 1, queue })).subscribe();
    work.next('a');
    work.next('b');
    work.next('c');
    expect([queue.running, queue.waiting]).to.deep.equal([1, 2]);
    listener.unsubscribe();
  });
});

const brief = () =>
  map(({ key, error }: { key: string; error?: unknown }) => (error ? `${key} failed` : key));

/** Notes which keys run, and how many runs of one key there are at once. */
function watchRuns(length: (key: string) => Observable<unknown>) {
  const runs: string[] = [];
  const open = new Map<string, number>();
  const most = new Map<string, number>();
  const reconcile = (key: string) =>
    defer(() => {
      runs.push(key);
      open.set(key, (open.get(key) ?? 0) + 1);
      most.set(key, Math.max(most.get(key) ?? 0, open.get(key) ?? 0));
      return length(key);
    }).pipe(finalize(() => open.set(key, (open.get(key) ?? 0) - 1)));
  return { runs, reconcile, most: (key: string) => most.get(key) ?? 0 };
}

function virtually(test: Parameters<TestScheduler['run']>[0]): void {
  new TestScheduler((actual, expected) => {
    expect(actual).to.deep.equal(expected);
  }).run(test);
}

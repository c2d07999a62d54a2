import { expect } from 'chai';
import type { Subscription } from 'rxjs';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { LeaseStub } from '../test/lease-stub.ts';
import { ManualClock } from '../test/manual-clock.ts';
import type { Clock } from './clock.ts';
import type { KubeClient } from './kube-client.ts';
import { type LeaderElectionOptions, type LeaderState, leaderElection } from './leader-election.ts';

describe('leaderElection', () => {
  it('HA-1: makes the first candidate the leader and lets the others follow', async () => {
    const { candidates, clock } = election(['a', 'b', 'c']);
    await clock.advance(60_000);
    expect(candidates.map(({ states }) => states)).to.deep.equal([
      ['follower', 'leader'],
      ['follower'],
      ['follower'],
    ]);
    expect(candidates.map(({ subject }) => subject.isLeader())).to.deep.equal([true, false, false]);
    expect(candidates.map(({ subject }) => subject.holder())).to.deep.equal(['a', 'a', 'a']);
  });

  it('HA-1, B23: writes a Lease that a strict reader takes', async () => {
    const { lease, clock } = election(['a']);
    await clock.advance(4000);
    expect(lease.lease?.metadata).to.include({ namespace: 'ns', name: 'leader' });
    const { acquireTime, renewTime, ...spec } = lease.lease?.spec ?? {};
    expect(spec).to.deep.equal({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    for (const time of [acquireTime, renewTime]) expect(time).to.match(/^2026-08-06T09:49:\d\d\.\d{6}Z$/);
    expect(renewTime).to.not.equal(acquireTime);
  });

  it('HA-1: keeps at most one leader at any time, whatever fails, with clocks hours apart', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = seededRandom(seed);
      const { candidates, clock, cut } = election(['a', 'b', 'c'], { random });
      candidates.forEach(({ own }, n) => own.setWall(n * 3_600_000));
      for (let step = 0; step < 200; step += 1) {
        const name = ['a', 'b', 'c'][Math.floor(random() * 3)] ?? '';
        if (random() < 0.2) cut.add(name);
        else cut.clear();
        await clock.advance(random() * 4000);
        const leaders = candidates.filter(({ subject }) => subject.isLeader());
        expect(leaders.length, `seed ${seed}, step ${step}`).to.be.at.most(1);
      }
      candidates.forEach(({ subscription }) => subscription.unsubscribe());
    }
  }).timeout(60_000);

  it('lets a leader that cannot renew stop before another one starts', async () => {
    const { candidates, clock, cut } = election(['a', 'b']);
    await clock.advance(5000);
    const [a, b] = candidates;
    cut.add('a');
    const stopped = await timeOf(clock, () => a?.states.includes('lost') === true);
    expect(a?.subject.isLeader()).to.equal(false);
    const taken = await timeOf(clock, () => b?.subject.isLeader() === true);
    expect(stopped).to.be.below(taken);
    expect(a?.states).to.deep.equal(['follower', 'leader', 'lost', 'ended']);
  });

  it('HA-2: tells a leader that was frozen that it leads no more, before it can write', async () => {
    const { candidates, clock } = election(['a', 'b']);
    await clock.advance(5000);
    // Its event loop stood still: no renewal, no timer, and then a question.
    candidates[0]?.own.skip(10_000);
    expect(candidates[0]?.subject.isLeader()).to.equal(false);
  });

  it('forgives failures that pass before the deadline', async () => {
    const { candidates, clock, cut } = election(['a', 'b']);
    await clock.advance(5000);
    for (let n = 0; n < 10; n += 1) {
      cut.add('a');
      await clock.advance(5000);
      cut.delete('a');
      await clock.advance(5000);
    }
    expect(candidates[0]?.states).to.deep.equal(['follower', 'leader']);
    expect(candidates[1]?.states).to.deep.equal(['follower']);
  });

  it('says again that it leads after a renewal so slow that it could not write for a while', async () => {
    const slow = { ms: 0 };
    const { candidates, clock } = election(['a'], { wait: () => clock.sleep(slow.ms) });
    await clock.advance(5000);
    const [a] = candidates;
    slow.ms = 9000;
    await clock.advance(3000);
    slow.ms = 0;
    await timeOf(clock, () => a?.subject.isLeader() === false);
    expect(a?.subject.leaseLeftMs()).to.equal(0);
    expect(a?.states).to.deep.equal(['follower', 'leader']);
    await clock.advance(4000);
    expect(a?.subject.isLeader()).to.equal(true);
    expect(a?.states).to.deep.equal(['follower', 'leader', 'leader']);
  });

  it('keeps its pace after a first write so slow that it never led by it', async () => {
    let tries = 0;
    const wait = async () => {
      tries += 1;
      if (tries === 2) await clock.sleep(11_000);
      if (tries === 3) cut.add('a');
      // So that a loop without a pause ends.
      if (tries > 100) await new Promise(() => {});
    };
    const { candidates, clock, cut } = election(['a'], { wait });
    await clock.advance(21_000);
    expect(candidates[0]?.states).to.deep.equal(['follower']);
    expect(tries).to.be.within(5, 10);
  });

  it('HA-2: tells for how long nobody else can take over', async () => {
    const { candidates, clock, cut } = election(['a', 'b']);
    await clock.advance(5000);
    const left = () => candidates.map(({ subject }) => Math.round(subject.leaseLeftMs()));
    cut.add('a');
    const [before = 0] = left();
    expect(before).to.be.within(12_500, 15_000);
    expect(left()[1]).to.equal(0);
    await clock.advance(3000);
    expect(left()[0]).to.equal(before - 3000);
  });

  it('stays the leader when somebody else touches the Lease', async () => {
    const { candidates, clock, lease } = election(['a', 'b']);
    for (let n = 0; n < 10; n += 1) {
      await clock.advance(3000);
      lease.touch();
    }
    expect(candidates[0]?.states).to.deep.equal(['follower', 'leader']);
    expect(lease.lease?.spec?.leaseTransitions).to.equal(0);
  });

  it('stops at once when another one holds the Lease', async () => {
    const { candidates, clock, lease } = election(['a']);
    await clock.advance(5000);
    const spec = { ...lease.lease?.spec, holderIdentity: 'usurper', renewTime: 'now' };
    lease.lease = { metadata: { namespace: 'ns', name: 'leader', resourceVersion: '999' }, spec };
    await clock.advance(5000);
    expect(candidates[0]?.states).to.deep.equal(['follower', 'leader', 'lost', 'ended']);
  });

  it('makes the Lease anew when it was deleted', async () => {
    const { candidates, clock, lease } = election(['a']);
    await clock.advance(5000);
    lease.lease = undefined;
    await clock.advance(10_000);
    expect(candidates[0]?.states).to.deep.equal(['follower', 'leader']);
    expect(lease.lease).to.have.nested.property('spec.holderIdentity', 'a');
  });

  it('waits out a holder that it finds, however old its times look', async () => {
    const { candidates, clock } = election(['b'], { holder: 'a' });
    await clock.advance(14_000);
    expect(candidates[0]?.states).to.deep.equal(['follower']);
    await clock.advance(5000);
    expect(candidates[0]?.states).to.deep.equal(['follower', 'leader']);
  });

  it('HA-3: hands over at once when the leader releases it', async () => {
    const { candidates, clock, lease } = election(['a', 'b']);
    await clock.advance(5000);
    const released = candidates[0]?.subject.release();
    await clock.advance(0);
    await released;
    expect(candidates[0]?.subject.isLeader()).to.equal(false);
    expect(lease.writes.at(-1)).to.equal('');
    await clock.advance(2400);
    expect(candidates[1]?.subject.isLeader()).to.equal(true);
    expect(lease.lease?.spec?.leaseTransitions).to.equal(1);
    expect(candidates[0]?.states).to.deep.equal(['follower', 'leader', 'ended']);
  });

  it('releases what it has just won, and nothing that it does not hold', async () => {
    const { candidates, clock, lease } = election(['a', 'b']);
    await clock.advance(5000);
    const released = candidates[1]?.subject.release();
    await clock.advance(0);
    await released;
    expect(lease.lease?.spec?.holderIdentity).to.equal('a');
    await candidates[1]?.subject.release();
  });

  it('does not fail when it cannot release', async () => {
    const { candidates, clock, cut } = election(['a']);
    await clock.advance(5000);
    cut.add('a');
    const released = candidates[0]?.subject.release();
    await clock.advance(0);
    await released;
    expect(candidates[0]?.subject.isLeader()).to.equal(false);
  });

  it('tells for how long nobody has led', async () => {
    const { candidates, clock, cut } = election(['a', 'b']);
    const leaderless = () => candidates.map(({ subject }) => subject.leaderlessMs());
    await clock.advance(5000);
    expect(leaderless()).to.deep.equal([0, 0]);
    cut.add('a').add('b');
    await clock.advance(45_000);
    for (const ms of leaderless()) expect(ms).to.be.within(28_000, 45_000);
    cut.clear();
    await clock.advance(5000);
    expect(candidates[1]?.subject.leaderlessMs()).to.equal(0);
  });

  it('ends without another call when it is unsubscribed', async () => {
    const { candidates, clock, lease } = election(['a']);
    await clock.advance(5000);
    candidates[0]?.subscription.unsubscribe();
    const writes = lease.writes.length;
    await clock.advance(60_000);
    expect(lease.writes).to.have.length(writes);
  });

  for (const times of [{ retryPeriodMs: 10_000 }, { renewDeadlineMs: 15_000 }, { retryPeriodMs: 0 }]) {
    it(`refuses times that do not grow: ${JSON.stringify(times)}`, () => {
      const client = new LeaseStub().client() as unknown as KubeClient;
      const options = { client, namespace: 'ns', name: 'leader', identity: 'a', random: () => 0.5, ...times };
      expect(() => leaderElection(options)).to.throw(RangeError, 'must grow');
    });
  }
});

interface Setting {
  readonly random?: () => number;
  /** Passed before each answer to the first one. */
  readonly wait?: () => Promise<void>;
  /** Who held the Lease before anybody came. */
  readonly holder?: string;
}

/** Candidates for one Lease, each running, on one clock that the test moves. */
function election(names: readonly string[], { random = () => 0.5, holder, wait }: Setting = {}) {
  const clock = new ManualClock();
  const lease = new LeaseStub();
  /** Who cannot reach the API server now. */
  const cut = new Set<string>();
  if (holder !== undefined) {
    const spec = {
      holderIdentity: holder,
      leaseDurationSeconds: 15,
      renewTime: '1999-01-01T00:00:00.000000Z',
    };
    lease.lease = { metadata: { namespace: 'ns', name: 'leader', resourceVersion: '0' }, spec };
  }
  const candidates = names.map((identity, at) => {
    const own = new OwnClock(clock);
    const line = { cut: () => cut.has(identity), ...(wait && at === 0 && { wait }) };
    const client = { ...lease.client(line), clock: own } as unknown as KubeClient;
    const options: LeaderElectionOptions = { client, namespace: 'ns', name: 'leader', identity, random };
    const subject = leaderElection(options);
    const states: (LeaderState | 'ended')[] = [];
    const next = (state: LeaderState) => states.push(state);
    const subscription: Subscription = subject.states.subscribe({
      next,
      complete: () => states.push('ended'),
    });
    return { subject, states, subscription, own };
  });
  return { candidates, clock, lease, cut };
}

/** The clock of one candidate: its wall clock may be wrong, and it may find that time has gone by unnoticed. */
class OwnClock implements Clock {
  readonly #clock: ManualClock;
  #skippedMs = 0;
  #wallMs = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.#skippedMs;
  }

  wallMs(): number {
    return this.#clock.wallMs() + this.#wallMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }

  skip(ms: number): void {
    this.#skippedMs += ms;
  }

  setWall(ms: number): void {
    this.#wallMs = ms;
  }
}

/** Lets time pass until `reached`, and tells when that was. */
async function timeOf(clock: ManualClock, reached: () => boolean): Promise<number> {
  for (let step = 0; step < 1000 && !reached(); step += 1) await clock.advance(100);
  expect(reached()).to.equal(true);
  return clock.now();
}

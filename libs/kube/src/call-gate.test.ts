import { expect } from 'chai';
import { ManualClock } from '../test/manual-clock.ts';
import { type CallBudget, CallGate } from './call-gate.ts';

describe('CallGate', () => {
  const never = new AbortController().signal;

  it('lets a burst pass at once, and then so many a second', async () => {
    const { clock, passed, enter } = gate({ qps: 10, burst: 3, maxInFlight: 100 });
    for (let n = 1; n <= 6; n += 1) enter();
    await clock.advance(0);
    expect(passed).to.deep.equal([0, 0, 0]);
    await clock.advance(1000);
    expect(passed).to.deep.equal([0, 0, 0, 100, 200, 300]);
  });

  it('saves up no more than a burst in a quiet time', async () => {
    const { clock, passed, enter } = gate({ qps: 10, burst: 2, maxInFlight: 100 });
    await clock.advance(3_600_000);
    for (let n = 1; n <= 4; n += 1) enter();
    await clock.advance(150);
    expect(passed.filter((at) => at === 3_600_000)).to.have.length(2);
    expect(passed).to.have.length(3);
  });

  it('lets the next in when one leaves, in the order they came', async () => {
    const { clock, passed, enter, left } = gate({ qps: 1000, burst: 1000, maxInFlight: 2 });
    for (let n = 1; n <= 5; n += 1) enter(n * 100);
    await clock.advance(10_000);
    expect(passed).to.deep.equal([0, 0, 100, 200, 400]);
    expect(left()).to.deep.equal({ open: 0, waiting: 0 });
  });

  it('RP-3: lets nobody in while the server asked for a pause, but for what is urgent', async () => {
    const { clock, passed, enter, subject } = gate({ qps: 10, burst: 10, maxInFlight: 10 });
    subject.hold(1000);
    enter();
    await subject.enter('urgent', never);
    await clock.advance(999);
    expect(passed).to.deep.equal([]);
    await clock.advance(1);
    expect(passed).to.deep.equal([1000]);
  });

  it('lets urgent calls pass however full it is', async () => {
    const { clock, enter, subject } = gate({ qps: 1, burst: 1, maxInFlight: 1 });
    for (let n = 1; n <= 10; n += 1) enter();
    await clock.advance(0);
    const leave = await subject.enter('urgent', never);
    leave();
    expect(subject.waiting).to.equal(9);
  });

  it('lets a call leave the line, without costing the others anything', async () => {
    const { clock, passed, enter, subject } = gate({ qps: 10, burst: 1, maxInFlight: 10 });
    enter();
    const stop = new AbortController();
    const givenUp = subject.enter('normal', stop.signal).catch((error: unknown) => error);
    enter();
    stop.abort(new Error('enough'));
    expect(String(await givenUp)).to.contain('enough');
    await clock.advance(100);
    expect(passed).to.deep.equal([0, 100]);
  });

  it('turns away a call whose time is up before it comes', async () => {
    const { subject } = gate({ qps: 10, burst: 1, maxInFlight: 1 });
    const failure = await subject.enter('normal', AbortSignal.abort(new Error('late'))).catch(String);
    expect(failure).to.contain('late');
    expect(subject.waiting).to.equal(0);
  });

  function gate(budget: CallBudget) {
    const clock = new ManualClock();
    const subject = new CallGate(budget, clock);
    const passed: number[] = [];
    /** Enters, notes when it passed, and stays for `stayMs`. */
    const enter = (stayMs = Number.MAX_SAFE_INTEGER) => {
      void subject.enter('normal', never).then(async (leave) => {
        passed.push(clock.now());
        await clock.sleep(stayMs);
        leave();
      });
    };
    const left = () => ({ open: subject.open, waiting: subject.waiting });
    return { clock, subject, passed, enter, left };
  }
});

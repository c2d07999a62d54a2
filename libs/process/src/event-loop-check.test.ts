import { expect } from 'chai';
import { eventLoopCheck } from './event-loop-check.ts';

describe('eventLoopCheck', () => {
  it('OP-2 fails while the loop is more than ten seconds late, and not before', () => {
    const { check, pass, tick } = started();
    pass(11_000);
    expect(check()).to.equal(undefined);
    pass(1);
    expect(check()).to.equal('the event loop is 10 s late');
    tick();
    expect(check()).to.equal(undefined);
  });

  it('stops asking', () => {
    const loop = started();
    loop.stop();
    expect(loop.stopped()).to.equal(true);
  });

  it('takes a real loop that turns for well', () => {
    const { check, stop } = eventLoopCheck();
    expect(check()).to.equal(undefined);
    stop();
  });
});

function started() {
  let nowMs = 0;
  let stopped = false;
  let tick = () => {};
  const loop = eventLoopCheck({
    clock: () => nowMs,
    every: (_periodMs, onTick) => {
      tick = onTick;
      return () => {
        stopped = true;
      };
    },
  });
  return {
    ...loop,
    pass: (ms: number) => {
      nowMs += ms;
    },
    tick: () => tick(),
    stopped: () => stopped,
  };
}

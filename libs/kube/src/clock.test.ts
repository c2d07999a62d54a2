import { expect } from 'chai';
import { systemClock } from './clock.ts';

describe('systemClock', () => {
  for (const ms of [2 ** 31, 1e15, Number.POSITIVE_INFINITY]) {
    it(`sleeps for ${ms} ms until it is called off, although no timer is that long`, async () => {
      const stop = new AbortController();
      let slept = false;
      const sleeping = systemClock.sleep(ms, stop.signal).then(() => {
        slept = true;
      });
      // A timer that is too long fires after 1 ms: before this one.
      await systemClock.sleep(50);
      expect(slept).to.equal(false);
      stop.abort();
      await sleeping;
    });
  }
});

import { expect } from 'chai';
import { executorStates } from '../support/executor-states.ts';
import { kstatus } from '../support/kstatus.ts';

describe('kstatus and executors', function () {
  // Its first run on a machine builds kstatus.
  this.timeout(300_000);

  it('AP-2: is in progress until a generation is settled, failed while stalled, current when all pods succeed, in 24 states', async () => {
    const states = Object.entries(executorStates());
    expect(states).to.have.lengthOf(24);
    const answers = await kstatus(states.map(([, { executor }]) => executor));
    const said = Object.fromEntries(states.map(([name], at) => [name, answers[at]?.status]));
    expect(said).to.deep.equal(Object.fromEntries(states.map(([name, state]) => [name, state.kstatus])));
  });
});

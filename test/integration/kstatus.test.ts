import { expect } from 'chai';
import { goProgram } from '../support/go-program.ts';
import { kstatus } from '../support/kstatus.ts';

describe('kstatus, as generic tools ask it', function () {
  // Its first run on a machine builds it.
  this.timeout(300_000);

  it('waits for an observedGeneration that lags, and does not know executorGeneration', async () => {
    const object = {
      apiVersion: 'status.ratify.sh/v1alpha1',
      kind: 'ExecutorPodStatus',
      metadata: { name: 'a-report', namespace: 'default', generation: 1 },
    };
    const answers = await kstatus([
      { ...object, status: { executorGeneration: 4 } },
      { ...object, status: { observedGeneration: 4 } },
      { ...object, status: { conditions: [{ type: 'Stalled', status: 'True', reason: 'ConfigInvalid' }] } },
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal(['Current', 'InProgress', 'Failed']);
  });

  it('has nothing to say about nothing', async () => {
    expect(await kstatus([])).to.deep.equal([]);
  });

  it('says which line is no object', async () => {
    const program = await goProgram('kstatus');
    const error: unknown = await program
      .run('{"kind":"X","apiVersion":"v1"}\nnonsense')
      .catch((reason: unknown) => reason);
    expect(String(error)).to.contain('kstatus: object 2:');
  });
});

import { CONDITIONS, type Condition, type Executor } from '@executor-status/api';
import { createMetrics } from '@executor-status/process';
import { expect } from 'chai';
import { executor } from '../../../test/support/builders.ts';
import { AGGREGATOR_METRICS } from './aggregator-metrics.ts';
import { ConditionMetrics } from './condition-metrics.ts';

const having = (
  name: string,
  conditions: Readonly<Record<string, Condition['status']>>,
  namespace?: string,
): Executor =>
  executor({
    name,
    ...(namespace !== undefined && { namespace }),
    status: {
      succeeded: true,
      conditions: Object.entries(conditions).map(([type, status]) => ({
        type,
        status,
        reason: 'Any',
        message: 'pod-a says no',
        lastTransitionTime: '2026-08-06T09:00:00Z',
      })),
    },
  });

describe('ConditionMetrics', () => {
  const metrics = createMetrics(AGGREGATOR_METRICS);
  const conditions = new ConditionMetrics(metrics);
  const series = async () =>
    (await metrics.render()).split('\n').filter((line) => line.startsWith('executor_condition{'));
  const line = (kind: string, namespace: string, rest: string) =>
    `executor_condition{kind="${kind}",namespace="${namespace}",${rest}} 1`;

  it('OP-3: shows the status of each condition, for both kinds', async () => {
    conditions.show([
      having('a', { Ready: 'False', PodsMissing: 'True' }),
      having('b', { Ready: 'True' }, 'team'),
    ]);
    expect(await series()).to.have.members([
      line('Executor', '', 'name="a",type="Ready",status="False"'),
      line('Executor', '', 'name="a",type="PodsMissing",status="True"'),
      line('NamespacedExecutor', 'team', 'name="b",type="Ready",status="True"'),
    ]);
  });

  it('OP-3: shows one status at a time, and nothing of what is gone', async () => {
    conditions.show([having('a', { Ready: 'True' })]);
    expect(await series()).to.deep.equal([line('Executor', '', 'name="a",type="Ready",status="True"')]);
    conditions.show([]);
    expect(await series()).to.deep.equal([]);
  });

  it('OP-3: shows ten series of an executor at most, and no words of other managers', async () => {
    const all = Object.fromEntries(Object.keys(CONDITIONS).map((type) => [type, 'True' as const]));
    const one = having('a', { ...all, 'example.com/Of-somebody-else': 'True' });
    conditions.show([one, { ...one, metadata: { ...one.metadata, name: 'b' } }]);
    expect(await series()).to.have.lengthOf(20);
    expect((await series()).join()).not.to.match(/example|pod-a/);
  });
});

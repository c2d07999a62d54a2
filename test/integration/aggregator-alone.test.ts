import { expect } from 'chai';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';

describe('an aggregator that is the only one', () => {
  const controlPlane = useControlPlane();

  it('elects itself by the Lease before its first write (C1)', async function () {
    this.timeout(60_000);
    await using stage = await AggregatorStage.install(controlPlane());
    const since = await controlPlane().audit.mark();
    const ref = refOf(`alone-${stage.namespace}`);
    await stage.apply(ref);
    await stage.start();
    await stage.ready(ref, 'Unknown/NoPods');
    const writes = await controlPlane().audit.entries({
      user: stage.user,
      verb: ['create', 'update', 'patch'],
      since,
    });
    const what = writes.map(({ verb, resource, subresource }) =>
      [verb, resource, subresource].join(' ').trim(),
    );
    expect(what[0]).to.match(/^(create|update) leases$/);
    expect(what).to.include('patch executors status');
  });
});

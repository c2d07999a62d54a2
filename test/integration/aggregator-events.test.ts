import type { ExecutorRef } from '@executor-status/api';
import { expect } from 'chai';
import type { ControlPlane, Pod } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { eventsOf } from './events-of.ts';
import { refOf } from './executor-manifest.ts';

describe('the Events of a status-aggregator', function () {
  this.timeout(90_000);
  const controlPlane = useControlPlane();
  let stage: AggregatorStage;
  let pod: Pod;

  before(async () => {
    stage = await AggregatorStage.install(controlPlane());
    pod = await stage.makePod({ name: 'ratify-1' });
    await stage.start('--success-hold=100ms', '--transition=50ms', '--grace=60s');
  });
  after(() => stage[Symbol.asyncDispose]());

  const reasons = async (cluster: ControlPlane, ref: ExecutorRef) =>
    (await eventsOf(cluster, ref)).map(({ reason }) => reason);

  for (const kind of ['Executor', 'NamespacedExecutor'] as const) {
    it(`AP-6: tell of the ${kind} that it does not build, and that it builds again`, async () => {
      const namespace = kind === 'Executor' ? undefined : stage.namespace;
      const ref = refOf('eventful', namespace);
      await stage.apply(ref);
      await stage.report(pod, ref);
      await stage.ready(ref, 'True/BuildsInAllPods');
      expect(await reasons(controlPlane(), ref)).to.deep.equal([]);
      // What a writer of another version may have let through.
      await stage.report(pod, ref, {
        error: `no key at https://user:hunter2@vault.example ${'x'.repeat(4000)}`,
        briefError: 'no key',
      });
      await stage.ready(ref, 'False/PodsFailed');
      await stage.report(pod, ref);
      await stage.ready(ref, 'True/BuildsInAllPods');
      await waitUntil(async () => (await reasons(controlPlane(), ref)).length === 2, { what: 'two Events' });
      const events = await eventsOf(controlPlane(), ref);
      expect(events.map(({ type, reason, action }) => `${type} ${reason} ${action}`)).to.have.members([
        'Warning BuildFailed Aggregate',
        'Normal Recovered Aggregate',
      ]);
      for (const { metadata, note, reportingController, reportingInstance } of events) {
        expect(metadata.namespace).to.equal(namespace ?? 'default');
        expect(Buffer.byteLength(note)).to.be.at.most(1024);
        expect(note, 'WP-10').not.to.contain('hunter2');
        expect(reportingController).to.equal('status.ratify.sh/status-aggregator');
        expect(reportingInstance).to.equal('status-aggregator-0');
      }
      expect(events.find(({ reason }) => reason === 'BuildFailed')?.note).to.match(
        /^1\/1 replicas unhealthy: no key/,
      );
    });
  }
});

import type { ExecutorRef } from '@executor-status/api';
import { expect } from 'chai';
import type { AppProcess } from '../support/app-process.ts';
import type { Pod } from '../support/control-plane.ts';
import { podNameOf } from '../support/control-plane.ts';
import { type Fault, type FaultProxy, type FaultRule, proxyFor } from '../support/fault-proxy.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { metric, probe } from './writer-probes.ts';

const REPORTS = { resource: 'executorpodstatuses' };
const STATUS_WRITES = { verb: 'patch', resource: 'namespacedexecutors', subresource: 'status' };

describe('a status-aggregator over a hostile network', function () {
  this.timeout(90_000);
  const controlPlane = useControlPlane();
  let proxy: FaultProxy;
  let stage: AggregatorStage;
  let ref: ExecutorRef;
  let pod: Pod;
  beforeEach(async () => {
    const proxied = await proxyFor(controlPlane());
    proxy = proxied.proxy;
    stage = await AggregatorStage.install(proxied.controlPlane);
    ref = refOf('watched', stage.namespace);
    pod = await stage.makePod({ name: 'ratify-1' });
    await stage.apply(ref);
    await stage.report(pod, ref);
  });
  afterEach(async () => {
    await proxy.heal();
    await stage[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const fails = () => stage.report(pod, ref, { succeeded: false, reason: 'BuildFailed', error: 'no key' });
  const builds = () => stage.report(pod, ref);
  const watchesAtOnce = () => Math.max(...Object.values(proxy.stats().mostWatches));
  const ready = async (app: AppProcess) => (await probe(app, '/readyz')).status;

  const heldUp: Record<string, FaultRule> = {
    'is held up': { kind: 'stall', match: REPORTS },
    'answers 403': { kind: 'answer', code: 403, match: REPORTS },
    'breaks off': { kind: 'truncate', match: REPORTS },
    'is cut': { kind: 'cut', lines: 1, match: REPORTS },
  };
  for (const [name, rule] of Object.entries(heldUp)) {
    it(`writes nothing while the list of reports ${name}, and is right when it is there (RP-5, B38)`, async () => {
      const active = proxy.fault(rule);
      const since = await controlPlane().audit.mark();
      const aggregator = await stage.start('--call-timeout=2s');
      await waitUntil(() => active.hits > 0 && isRead('executors') && isRead('pods'), {
        what: 'the other lists',
      });
      expect(await ready(aggregator)).to.equal(503);
      expect(await stage.writes({ since })).to.deep.equal([]);
      await proxy.heal();
      proxy.strike(REPORTS, { kind: 'cut' });
      await stage.ready(ref, 'True/BuildsInAllPods', 40_000);
    });
  }
  const isRead = (resource: string) => proxy.seen({ verb: 'watch', resource }).length > 0;

  it('writes nothing where there is no WatchList and the list of reports breaks (RP-5, B38)', async () => {
    proxy.fault({ kind: 'answer', code: 400, match: { ...REPORTS, verb: 'watch' }, times: 1 });
    const active = proxy.fault({ kind: 'truncate', match: { ...REPORTS, verb: 'list' }, times: 3 });
    const since = await controlPlane().audit.mark();
    await stage.start();
    await waitUntil(() => active.hits === 3, { what: 'three lists that broke' });
    expect(await stage.writes({ since })).to.deep.equal([]);
    await stage.ready(ref, 'True/BuildsInAllPods', 40_000);
  });

  it('ends with the last of reports that flip within a delay of its watches (B25, FB-2)', async () => {
    await stage.start('--transition=100ms', '--progress=200ms', '--success-hold=100ms');
    await stage.ready(ref, 'True/BuildsInAllPods');
    // From the next watch on; the one that is open ends.
    proxy.fault({ kind: 'lag', ms: 700, match: { verb: 'watch' } });
    proxy.strike({ verb: 'watch' }, { kind: 'end' });
    for (let round = 0; round < 3; round++) {
      await fails();
      await builds();
      await fails();
      await stage.ready(ref, 'False/PodsFailed');
      await builds();
      await fails();
      await builds();
      await stage.ready(ref, 'True/BuildsInAllPods');
    }
  });

  const troubles: Record<string, Fault> = {
    'answers 409 twenty times': { kind: 'answer', code: 409 },
    'answers 500': { kind: 'answer', code: 500 },
    'answers 429 and when to come back': { kind: 'answer', code: 429, retryAfterSeconds: 1 },
    'loses the answer': { kind: 'lose' },
  };
  for (const [name, fault] of Object.entries(troubles)) {
    it(`lands its status when the API server ${name} (WP-4, G6, RP-3)`, async () => {
      const aggregator = await stage.start('--transition=100ms');
      await stage.ready(ref, 'True/BuildsInAllPods');
      const times = name.includes('twenty') ? 20 : 3;
      const rule = proxy.fault({ ...fault, match: STATUS_WRITES, times });
      await fails();
      await stage.ready(ref, 'False/PodsFailed', 60_000);
      expect(rule.hits).to.be.greaterThan(0);
      expect(await metric(aggregator, 'executor_status_unhandled_errors_total')).to.equal(0);
      expect((await probe(aggregator, '/livez')).status).to.equal(200);
    });
  }

  it('follows what changed during an outage, deletions included, with one watch of each resource (RP-1, RP-3, B40)', async () => {
    const aggregator = await stage.start(
      '--transition=100ms',
      '--lease-duration=60s',
      '--renew-deadline=50s',
    );
    await stage.ready(ref, 'True/BuildsInAllPods');
    const another = await stage.makePod({ name: 'ratify-2' });
    await stage.report(another, ref);
    await stage.shows(ref, (status) => status.podCounts?.expected === 2);
    await proxy.network('refused');
    await controlPlane().removePod(another);
    await fails();
    await waitUntil(async () => (await metric(aggregator, 'kube_watch_failures_total')) > 2, {
      what: 'tries that failed',
    });
    await proxy.heal();
    const status = await stage.shows(
      ref,
      ({ podCounts }) => podCounts?.expected === 1 && podCounts.failed === 1,
      40_000,
    );
    expect(status.byPod?.map(({ id }) => id)).to.deep.equal(['ratify-1']);
    expect(watchesAtOnce()).to.equal(1);
  });

  it('repairs a status that was wiped, although the news of it was lost on the way (RP-10, FB-5)', async () => {
    await stage.start('--resync=1s', '--repair=1s', '--transition=100ms');
    await stage.ready(ref, 'True/BuildsInAllPods');
    const wiped = proxy.strike({ verb: 'watch', resource: 'namespacedexecutors' }, { kind: 'skip' });
    expect(wiped).to.equal(1);
    const empty = { status: { succeeded: false, error: '', byPod: [], conditions: [] } };
    await controlPlane().admin.call(`PATCH ${stage.path(ref)}/status`, empty);
    await stage.ready(ref, 'True/BuildsInAllPods', 40_000);
  });

  it('gives the Lease up when its renewals are not answered, writes no more, and ends (B16, HA-2)', async () => {
    const aggregator = await stage.start(
      '--lease-duration=3s',
      '--renew-deadline=2s',
      '--retry-period=500ms',
      '--call-timeout=1s',
    );
    await stage.ready(ref, 'True/BuildsInAllPods');
    proxy.fault({ kind: 'stall', match: { resource: 'leases' } });
    await aggregator.exited;
    const since = await controlPlane().audit.mark();
    await fails();
    await proxy.heal();
    await stage.start();
    await stage.ready(ref, 'False/PodsFailed', 40_000);
    const writers = (await stage.writes({ since })).map(podNameOf);
    expect([...new Set(writers)]).to.deep.equal(['status-aggregator-1']);
  });
});

import type { ExecutorRef } from '@executor-status/api';
import { expect } from 'chai';
import type { AppProcess } from '../support/app-process.ts';
import type { AuditMark, Pod } from '../support/control-plane.ts';
import { podNameOf } from '../support/control-plane.ts';
import { type FaultProxy, proxyFor } from '../support/fault-proxy.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { probe } from './writer-probes.ts';

const SHORT_LEASE = ['--lease-duration=3s', '--renew-deadline=2s', '--retry-period=300ms'];
const QUICK = ['--success-hold=100ms', '--transition=100ms'];

describe('two status-aggregators, one of which is in trouble', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();
  let proxy: FaultProxy;
  let stage: AggregatorStage;
  let ref: ExecutorRef;
  let pod: Pod;

  beforeEach(async () => {
    const proxied = await proxyFor(controlPlane());
    proxy = proxied.proxy;
    stage = await AggregatorStage.install(proxied.controlPlane);
    ref = refOf('handed-over', stage.namespace);
    pod = await stage.makePod({ name: 'ratify-1' });
    await stage.apply(ref);
    await stage.report(pod, ref);
  });
  afterEach(async () => {
    await proxy.heal();
    await stage[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  /** Starts a first one, which leads, and a second one, which waits. */
  async function startTwo(...flags: readonly string[]): Promise<readonly [AppProcess, AppProcess]> {
    const first = await stage.start(...QUICK, ...flags);
    await first.waitForLog(({ msg }) => msg === 'leads from now on', 20_000);
    const second = await stage.start(...QUICK, ...flags);
    await stage.ready(ref, 'True/BuildsInAllPods');
    await waitUntil(async () => (await probe(second, '/readyz')).status === 200, { what: 'a warm follower' });
    return [first, second];
  }

  const leads = (one: AppProcess) => one.waitForLog(({ msg }) => msg === 'leads from now on', 30_000);
  const fails = () => stage.report(pod, ref, { error: 'no key' });

  /** The names of the aggregators' pods, one for each write, in order. */
  async function writers(since: AuditMark): Promise<readonly string[]> {
    const writes = await stage.writes({ since });
    return writes.map(podNameOf);
  }

  it('HA-5: a leader whose writes fail gives the Lease up, long before it would run out, and says why', async () => {
    // Nobody can take over in time unless it is given up.
    const [first, second] = await startTwo('--stuck-after=3s', '--lease-duration=10m', '--renew-deadline=5m');
    proxy.fault({
      kind: 'answer',
      code: 503,
      match: { verb: 'patch', subresource: 'status', client: 'status-aggregator-0' },
    });
    const since = await controlPlane().audit.mark();
    await fails();
    expect(await first.exited).to.deep.include({ code: 1 });
    await leads(second);
    await stage.ready(ref, 'False/PodsFailed');
    expect(await writers(since)).to.deep.equal(['status-aggregator-1']);
    expect(first.output().join('\n')).to.match(/could not write any status for \d+ s: gives the Lease up/);
  });

  it('HA-5: a leader keeps the Lease when the server will not have one status', async () => {
    const [first] = await startTwo('--stuck-after=100ms');
    const other = refOf('other', stage.namespace);
    const rule = proxy.fault({
      kind: 'answer',
      code: 422,
      match: { verb: 'patch', subresource: 'status', name: ref.name },
    });
    await fails();
    await waitUntil(() => rule.hits >= 2, { what: 'two refusals' });
    await stage.apply(other);
    await stage.report(pod, other);
    await stage.ready(other, 'True/BuildsInAllPods');
    expect((await probe(first, '/readyz')).status).to.equal(200);
  });

  it('HA-5: nobody is ready, and all say why, when nobody has led for two lease durations', async () => {
    proxy.fault({ kind: 'answer', code: 403, match: { resource: 'leases' } });
    const both = [await stage.start(...SHORT_LEASE), await stage.start(...SHORT_LEASE)];
    for (const one of both) {
      const said = async () => {
        const answer = await probe(one, '/readyz?verbose');
        const text = await answer.text();
        return answer.status === 503 && /leader.*nobody has held the Lease for \d+ s/.test(text);
      };
      await waitUntil(said, { what: 'unreadiness that says why', deadlineMs: 30_000 });
      expect((await probe(one, '/livez')).status, 'a restart would not help').to.equal(200);
    }
    await proxy.heal();
    const ready = async () =>
      (await Promise.all(both.map((one) => probe(one, '/readyz')))).every(({ ok }) => ok);
    await waitUntil(ready, { what: 'readiness of both', deadlineMs: 30_000 });
  });

  it('HA-2: a leader whose renewals alone are late writes nothing after another has taken over', async () => {
    const [first, second] = await startTwo(...SHORT_LEASE);
    proxy.fault({ kind: 'delay', ms: 20_000, match: { resource: 'leases', client: 'status-aggregator-0' } });
    await leads(second);
    const since = await controlPlane().audit.mark();
    await fails();
    await stage.ready(ref, 'False/PodsFailed');
    expect(await first.exited).to.deep.include({ code: 1 });
    expect(await writers(since)).to.deep.equal(['status-aggregator-1']);
  });

  it('HA-2: a leader whose event loop was blocked writes nothing after another has taken over', async () => {
    const block = 'process.on("SIGUSR2",()=>Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,8000))';
    const first = await stage.startWith(stage.importing(block), ...QUICK, ...SHORT_LEASE);
    await leads(first);
    const second = await stage.start(...QUICK, ...SHORT_LEASE);
    await stage.ready(ref, 'True/BuildsInAllPods');
    first.kill('SIGUSR2');
    await fails();
    await leads(second);
    await stage.ready(ref, 'False/PodsFailed');
    const since = await controlPlane().audit.mark();
    expect(await first.exited).to.deep.include({ code: 1 });
    await stage.report(pod, ref);
    await stage.ready(ref, 'True/BuildsInAllPods');
    expect(new Set(await writers(since))).to.deep.equal(new Set(['status-aggregator-1']));
  });

  it('HA-3: a killed leader is replaced within the lease and five seconds', async () => {
    const [first, second] = await startTwo();
    first.kill('SIGKILL');
    await first.exited;
    await fails();
    await second.waitForLog(({ msg }) => msg === 'leads from now on', 20_000);
    await stage.ready(ref, 'False/PodsFailed', 3000);
  });
});

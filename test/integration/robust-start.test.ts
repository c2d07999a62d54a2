import { expect } from 'chai';
import { type FaultProxy, proxyFor, type Seen } from '../support/fault-proxy.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refOf } from './executor-manifest.ts';
import { WriterFleet } from './writer-fleet.ts';
import { metric, probe } from './writer-probes.ts';

/** How many writers start at once; the bench does it with a thousand. */
const WRITERS = Number(process.env['ROBUST_WRITERS'] ?? 5);

describe('executor-writers that start all at once', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();
  let proxy: FaultProxy;
  let fleet: WriterFleet;
  before(async () => {
    const proxied = await proxyFor(controlPlane());
    proxy = proxied.proxy;
    fleet = await WriterFleet.install(proxied.controlPlane);
  });
  after(async () => {
    await fleet[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  it('spread their first calls, wait as long as an overloaded API server asks, and lose no verdict (SC-3)', async () => {
    const ref = refOf('start', fleet.namespace);
    await fleet.apply(ref);
    // A third of the first requests of each writer, watches included.
    proxy.plan = ({ verb }, count) =>
      count === 0 && verb !== 'patch' ? { kind: 'answer', code: 429, retryAfterSeconds: 1 } : undefined;
    const pods = await fleet.startPods(WRITERS, ['--start-jitter=2s', '--qps=10', '--burst=40']);
    const reports = await Promise.all(pods.map((pod) => fleet.reported(pod, ref)));
    expect(reports.map(({ status }) => status?.succeeded)).to.deep.equal(pods.map(() => true));
    for (const pod of pods) {
      const seen = proxy.seen({ client: pod.name });
      expect(seen.some(({ fault }) => fault?.kind === 'answer')).to.equal(true);
      expect(hasWaited(seen), pod.name).to.equal(true);
      // Who it is, two lists, its reports, two watches, one executor, two writes; each of the reads twice.
      expect(seen.length).to.be.at.most(20);
      expect(await metric(fleet.writer(pod), 'executor_status_unhandled_errors_total')).to.equal(0);
    }
    const firsts = pods.map((pod) => proxy.seen({ client: pod.name })[0]?.atMs ?? 0);
    expect(Math.max(...firsts) - Math.min(...firsts)).to.be.greaterThan(100);
  });

  it('are unready and say why while a first list fails, and show what they wait for (RP-3)', async () => {
    proxy.plan = undefined;
    const rule = proxy.fault({ kind: 'answer', code: 503, match: { verb: 'watch', resource: 'executors' } });
    const pod = await fleet.makePod();
    const writer = await fleet.start(pod);
    await waitUntil(() => rule.hits > 1, { what: 'a second try' });
    const ready = await probe(writer, '/readyz?verbose');
    expect(ready.status).to.equal(503);
    expect(await ready.text()).to.match(/watch-executors.*503/);
    expect((await probe(writer, '/livez')).status).to.equal(200);
    expect(await metric(writer, 'kube_watch_failures_total')).to.be.greaterThan(0);
    const shown = await (await probe(writer, '/metrics')).text();
    for (const name of WAITED_FOR) expect(shown).to.match(new RegExp(`^${name}(?:\\{.*\\})? `, 'm'));
    await proxy.heal();
    await waitUntil(async () => (await probe(writer, '/readyz')).status === 200, { what: 'a ready writer' });
  });
});

/** Figures of what a writer waits for. */
const WAITED_FOR = [
  'executor_status_watch_age_seconds',
  'executor_status_queue_depth',
  'kube_requests_in_flight',
  'kube_requests_waiting',
];

/** Whether no call of a client came within a second of a 429 that asked for one; a tenth is for what was under way. */
function hasWaited(seen: readonly Seen[]): boolean {
  const calls = seen.filter(({ request }) => request.verb !== 'watch');
  return calls.every(({ atMs, fault }) => {
    if (fault?.kind !== 'answer') return true;
    return calls.every((other) => other.atMs <= atMs + 100 || other.atMs >= atMs + 950);
  });
}

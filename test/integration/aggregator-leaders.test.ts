import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { AppProcess } from '../support/app-process.ts';
import type { AuditMark, Pod } from '../support/control-plane.ts';
import { podNameOf } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { metric, probe } from './writer-probes.ts';

/** How long a leader is frozen at least; until another one has written when left out. */
const FROZEN_MS = 1000 * Number(process.env['FROZEN_SECONDS'] ?? 0);

const QUICK = [
  '--lease-duration=3s',
  '--renew-deadline=2s',
  '--retry-period=300ms',
  '--success-hold=100ms',
  '--transition=100ms',
  '--measure=200ms',
];

describe('two status-aggregators', function () {
  this.timeout(120_000 + FROZEN_MS);
  const controlPlane = useControlPlane();
  const ref = refOf('led');
  let stage: AggregatorStage;
  let pod: Pod;
  let running: AppProcess[] = [];

  beforeEach(async () => {
    stage = await AggregatorStage.install(controlPlane());
    pod = await stage.makePod({ name: 'ratify-1' });
    running = [await stage.start(...QUICK), await stage.start(...QUICK)];
    await stage.apply(ref);
    await stage.report(pod, ref);
    await stage.ready(ref, 'True/BuildsInAllPods');
  });
  afterEach(() => stage[Symbol.asyncDispose]());

  const leads = async (one: AppProcess) => (await metric(one, 'executor_status_leader')) === 1;

  async function roles(): Promise<{ leader: AppProcess; follower: AppProcess }> {
    const [first, second] = running;
    if (first === undefined || second === undefined) throw new Error('two must run');
    // The figure is taken now and then.
    return waitUntil(
      async () => {
        const [one, two] = [await leads(first), await leads(second)];
        if (one === two) return undefined;
        return one ? { leader: first, follower: second } : { leader: second, follower: first };
      },
      { what: 'one leader' },
    );
  }

  /** The pods whose aggregators wrote statuses, as their bound tokens say. */
  async function writersSince(since: AuditMark): Promise<readonly string[]> {
    const writes = await stage.writes({ since });
    return [...new Set(writes.map(podNameOf))];
  }

  it('HA-1, R3: only the holder of the Lease writes', async () => {
    const since = await controlPlane().audit.mark();
    for (const error of ['one', undefined, 'three', undefined]) {
      await stage.report(pod, ref, { ...(error && { error }) });
      await stage.ready(ref, error === undefined ? 'True/BuildsInAllPods' : 'False/PodsFailed');
    }
    const { spec } = await controlPlane().admin.call(
      `GET /apis/coordination.k8s.io/v1/namespaces/${stage.namespace}/leases/status-aggregator`,
    );
    const [holder] = String(spec?.['holderIdentity']).split('_');
    expect(await writersSince(since)).to.deep.equal([holder]);
    expect(spec?.['renewTime'], 'B23').to.match(/\.\d{6}Z$/);
  });

  it('HA-4: a follower is as ready as the leader', async () => {
    for (const one of running) {
      await waitUntil(async () => (await probe(one, '/readyz')).status === 200, { what: 'readiness' });
    }
  });

  it('HA-1, HA-3, AG-5: a killed leader is replaced, and the new one writes only what has changed', async () => {
    const { leader, follower } = await roles();
    leader.kill('SIGKILL');
    await leader.exited;
    const since = await controlPlane().audit.mark();
    await waitUntil(() => leads(follower), { what: 'the other to lead', deadlineMs: 30_000 });
    await stage.report(pod, ref, { error: 'no key' });
    await stage.ready(ref, 'False/PodsFailed');
    expect(await stage.writes({ since, name: ref.name })).to.have.lengthOf(1);
  });

  it('HA-3: a leader that is stopped gives the Lease up, and the other one writes soon', async () => {
    const { leader } = await roles();
    const since = await controlPlane().audit.mark();
    leader.kill('SIGTERM');
    await stage.report(pod, ref, { error: 'no key' });
    expect(await leader.exited).to.deep.include({ code: 0 });
    await stage.ready(ref, 'False/PodsFailed', 3000);
    expect(await writersSince(since)).to.have.lengthOf(1);
  });

  it('HA-2: a leader that was frozen writes nothing when it wakes, and ends', async () => {
    const { leader, follower } = await roles();
    leader.kill('SIGSTOP');
    const frozenAtMs = performance.now();
    await stage.report(pod, ref, { error: 'no key' });
    await waitUntil(() => leads(follower), { what: 'the other to lead', deadlineMs: 30_000 });
    await stage.ready(ref, 'False/PodsFailed');
    await sleep(Math.max(0, frozenAtMs + FROZEN_MS - performance.now()));
    const since = await controlPlane().audit.mark();
    leader.kill('SIGCONT');
    expect(await leader.exited).to.deep.include({ code: 1 });
    await stage.report(pod, ref);
    await stage.ready(ref, 'True/BuildsInAllPods');
    expect(await writersSince(since)).to.have.lengthOf(1);
  });
});

describe('a status-aggregator that has to wait for the Lease', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();

  it('V4, HA-3: writes as soon as it leads, without any further event', async () => {
    await using stage = await AggregatorStage.install(controlPlane());
    const ref = refOf('waiting');
    await stage.apply(ref);
    await stage.report(await stage.makePod({ name: 'ratify-1' }), ref);
    // Held by a process that died.
    await controlPlane().admin.call(
      `PATCH /apis/coordination.k8s.io/v1/namespaces/${stage.namespace}/leases/status-aggregator`,
      {
        spec: { holderIdentity: 'ghost', leaseDurationSeconds: 5, renewTime: '2026-01-01T00:00:00.000000Z' },
      },
    );
    const aggregator = await stage.start(...QUICK);
    await waitUntil(async () => (await probe(aggregator, '/readyz')).status === 200, { what: 'readiness' });
    expect((await stage.executor(ref)).status).to.equal(undefined);
    await aggregator.waitForLog(({ msg }) => msg === 'leads from now on', 20_000);
    await stage.ready(ref, 'True/BuildsInAllPods', 5000);
  });
});

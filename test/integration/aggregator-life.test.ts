import type { ExecutorRef, ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import { report as newReport } from '../support/builders.ts';
import type { Pod } from '../support/control-plane.ts';
import { type FaultProxy, proxyFor } from '../support/fault-proxy.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { gist } from '../support/status-story.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';
import { metric } from './writer-probes.ts';

const QUICK = ['--success-hold=100ms', '--transition=50ms', '--progress=50ms'];
const SHORT_LEASE = ['--lease-duration=3s', '--renew-deadline=2s', '--retry-period=300ms'];

const ids = ({ byPod = [] }: ExecutorStatus) => byPod.map(({ id }) => id);

describe('a status-aggregator, whatever happens around it', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();
  let proxy: FaultProxy;
  let stage: AggregatorStage;
  let pods: readonly Pod[];
  const ref = refOf('lived-with');

  beforeEach(async () => {
    const proxied = await proxyFor(controlPlane());
    proxy = proxied.proxy;
    stage = await AggregatorStage.install(proxied.controlPlane);
    pods = await stage.makePods('ratify-1', 'ratify-2', 'ratify-3');
    await stage.apply(ref);
  });
  afterEach(async () => {
    await proxy.heal();
    await stage[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const reportAll = (one: ExecutorRef = ref) => Promise.all(pods.map((pod) => stage.report(pod, one)));
  const podAt = (at: number): Pod => {
    const pod = pods[at];
    if (pod === undefined) throw new Error(`there is no pod ${at}`);
    return pod;
  };

  it('G7: shows no pod of a node that died, although its leader died with it', async () => {
    const leader = await stage.start(...QUICK, ...SHORT_LEASE);
    await leader.waitForLog(({ msg }) => msg === 'leads from now on', 20_000);
    await stage.start(...QUICK, ...SHORT_LEASE);
    await reportAll();
    await stage.shows(ref, ({ builds }) => builds === '3/3');
    leader.kill('SIGKILL');
    await Promise.all([podAt(0), podAt(1)].map((pod) => controlPlane().removePod(pod)));
    const status = await stage.shows(ref, ({ builds }) => builds === '1/1', 30_000);
    expect(ids(status)).to.deep.equal(['ratify-3']);
    expect(gist(status)).to.include({ succeeded: true, ready: 'True/BuildsInAllPods' });
  });

  it('J4: keeps no state in what it writes: all statuses wiped and all reports made anew end in the same', async () => {
    const first = await stage.start(...QUICK);
    const fill = async () => {
      await Promise.all([podAt(0), podAt(1)].map((pod) => stage.report(pod, ref)));
      await stage.report(podAt(2), ref, { error: 'no key' });
      return stage.shows(ref, ({ builds }) => builds === '2/3');
    };
    const before = await fill();
    await first.stop();
    const { admin } = controlPlane();
    await admin.call(`DELETE ${reportsPath(stage.namespace)}`);
    await admin.call(`PATCH ${stage.path(ref)}/status`, { status: null });
    expect((await stage.executor(ref)).status).to.equal(undefined);
    await stage.start(...QUICK);
    expect(timeless(await fill())).to.deep.equal(timeless(before));
  });

  it('J12: keeps the entries of pods whose writers are down, says that they are stale, and goes on when they are back', async () => {
    const aggregator = await stage.start(...QUICK, '--writer-down=500ms');
    await reportAll();
    await stage.ready(ref, 'True/BuildsInAllPods');
    const setWriter = (state: object) =>
      Promise.all(
        pods.map((pod) => controlPlane().setPodStatus(pod, { initContainerStatuses: [writerStatus(state)] })),
      );
    await setWriter({ terminated: { exitCode: 1, reason: 'Error' } });
    const stale = await stage.shows(ref, ({ podCounts }) => podCounts?.stale === 3);
    expect(gist(stale).ready).to.equal('Unknown/PodsStale');
    expect(ids(stale)).to.deep.equal(['ratify-1', 'ratify-2', 'ratify-3']);
    expect(stale.byPod?.every((entry) => entry.stale && entry.succeeded)).to.equal(true);
    expect(stale).to.include({ succeeded: true, builds: '3/3' });
    await setWriter({ running: { startedAt: '2026-01-01T00:00:00Z' } });
    await stage.ready(ref, 'True/BuildsInAllPods');
    expect(aggregator.logs().filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('ST-1: writes nothing because kubelets say again and again that pods are well', async () => {
    await stage.start(...QUICK);
    await reportAll();
    await stage.ready(ref, 'True/BuildsInAllPods');
    const since = await controlPlane().audit.mark();
    for (let beat = 10; beat < 30; beat++) {
      const lastProbeTime = `2026-01-01T00:00:${beat}Z`;
      const conditions = ['ContainersReady', 'Ready'].map((type) => ({
        type,
        status: 'True',
        lastProbeTime,
      }));
      await Promise.all(pods.map((pod) => controlPlane().setPodStatus(pod, { conditions })));
    }
    // What comes after them is seen after them.
    const later = refOf('later');
    await stage.apply(later);
    await reportAll(later);
    await stage.ready(later, 'True/BuildsInAllPods');
    expect(await stage.writes({ since, name: ref.name })).to.deep.equal([]);
  });

  it('AG-9: is right about all others while one status is always refused, and reports are odd', async () => {
    const refused = proxy.fault({
      kind: 'answer',
      code: 422,
      match: { verb: 'patch', subresource: 'status', name: 'refused' },
    });
    await stage.apply(refOf('refused'));
    await reportAll(refOf('refused'));
    const others = Array.from({ length: 20 }, (_, at) => refOf(`other-${at}`));
    for (const other of others) await stage.apply(other);
    const aggregator = await stage.start(...QUICK);
    await waitUntil(() => refused.hits > 0, { what: 'a refusal', deadlineMs: 30_000 });
    await Promise.all([
      oddReport('of-nobody', { pod: 'nobody' }),
      oddReport('about-nothing', { about: 'nothing' }),
    ]);
    await Promise.all(others.map((other) => reportAll(other)));
    for (const other of others) {
      const status = await stage.ready(other, 'True/BuildsInAllPods', 5000);
      expect(ids(status)).to.deep.equal(['ratify-1', 'ratify-2', 'ratify-3']);
    }
    expect(await metric(aggregator, 'executor_status_write_failures_total')).to.be.at.least(1);
    expect((await stage.executor(refOf('refused'))).status).to.equal(undefined);
    await proxy.heal();
    await stage.ready(refOf('refused'), 'True/BuildsInAllPods', 40_000);
  });

  /** A report under a random name that belongs to no pod, or to no executor. */
  async function oddReport(
    name: string,
    { pod = 'ratify-1', about = 'other-0' }: { readonly pod?: string; readonly about?: string },
  ): Promise<void> {
    const podUID = pods.find((one) => one.name === pod)?.uid ?? 'no-such-uid';
    const made = newReport({ name, pod, podUID, executorRef: refOf(about), error: 'not ours' });
    const { apiVersion, kind, spec, status } = made;
    const { admin } = controlPlane();
    const path = reportsPath(stage.namespace);
    await admin.call(`POST ${path}`, { apiVersion, kind, metadata: { name }, spec });
    await admin.call(`PATCH ${path}/${name}/status`, { status });
  }
});

const writerStatus = (state: object) => ({
  name: 'executor-writer',
  image: 'registry.invalid/none:1',
  imageID: '',
  ready: false,
  started: false,
  restartCount: 0,
  state,
});

/** Without the times of transitions. */
function timeless(status: ExecutorStatus): unknown {
  return JSON.parse(
    JSON.stringify(status, (name, value: unknown) => (name === 'lastTransitionTime' ? undefined : value)),
  );
}

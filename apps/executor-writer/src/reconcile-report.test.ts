import { newExecutorPodStatus, POD_UID_LABEL, type PodIdentity, reportName } from '@executor-status/api';
import { KeyTimers } from '@executor-status/controller';
import { createLog, createMetrics } from '@executor-status/process';
import { expect } from 'chai';
import { VirtualTimeScheduler } from 'rxjs';
import { MemoryApi, refusal } from '../test/memory-api.ts';
import { OwnReports } from './own-reports.ts';
import { reconcileReport } from './reconcile-report.ts';
import type { Verdict } from './report-status.ts';
import { Vanishings } from './vanishings.ts';
import { ReportWriter } from './write-report.ts';

describe('reconcileReport', () => {
  const pod: PodIdentity = { namespace: 'ratify', name: 'ratify-0', uid: 'pod-1' };
  const ref = { kind: 'Executor', name: 'x' } as const;
  const NAME = reportName(pod.name, ref);

  it('makes the object and then its status, and then has nothing to do', async () => {
    const { api, run, stored } = setUp();
    await run();
    await run();
    expect(api.calls).to.deep.equal([`apply ${NAME}`, `apply-status ${NAME}`]);
    expect(stored()?.status).to.include({ id: 'ratify-0', succeeded: true, executorGeneration: 1 });
  });

  it('writes only the status when only the verdict changes', async () => {
    const { api, run, say } = setUp();
    await run();
    api.calls.length = 0;
    say({ succeeded: false });
    await run();
    expect(api.calls).to.deep.equal([`apply-status ${NAME}`]);
  });

  it('lands the newest verdict after twenty conflicts in a row, reading again each time (WP-3, P1)', async () => {
    const { api, run, say, stored } = setUp();
    await run();
    api.failNext(
      'apply-status',
      ...Array.from({ length: 20 }, () => refusal({ code: 409, reason: 'Conflict' })),
    );
    for (let generation = 2; generation <= 21; generation++) {
      say({ generation });
      await failed(run());
    }
    say({ generation: 22 });
    await run();
    expect(stored()?.status?.executorGeneration).to.equal(22);
  });

  it('does not believe what it knew after a failure: the object may be gone by now', async () => {
    const { api, run, say, stored } = setUp();
    await run();
    api.reports.delete(NAME);
    say({ generation: 2 });
    await failed(run());
    await run();
    expect(stored()?.status?.executorGeneration).to.equal(2);
  });

  it('finishes what a failure between the two writes has left (WP-5)', async () => {
    const { api, run, stored } = setUp();
    api.failNext('apply-status', refusal({ reason: 'Unreachable' }));
    await failed(run());
    expect(stored()).to.not.have.property('status');
    await run();
    expect(stored()?.status).to.include({ succeeded: true });
  });

  it('replaces the report of a predecessor of the same name by its uid (ID-6, B29)', async () => {
    const { api, own, run, stored } = setUp();
    api.put(newExecutorPodStatus({ ...pod, uid: 'pod-0' }, ref));
    await own.list();
    api.calls.length = 0;
    await run();
    expect(api.calls).to.deep.equal([`remove ${NAME}`, `apply ${NAME}`, `apply-status ${NAME}`]);
    expect(stored()?.spec.pod.uid).to.equal('pod-1');
  });

  it('replaces the report of a predecessor that it did not know of (ID-6)', async () => {
    const { api, run, stored } = setUp();
    api.put(newExecutorPodStatus({ ...pod, uid: 'pod-0' }, ref));
    await failed(run());
    await run();
    expect(stored()?.spec.pod.uid).to.equal('pod-1');
  });

  it('mends a label that somebody took away, and leaves the spec as it is', async () => {
    const { api, own, run, stored } = setUp();
    await run();
    const report = stored();
    if (report === undefined) throw new Error('nothing stored');
    const nodeName = 'node-of-an-older-version';
    api.put({ ...report, spec: { ...report.spec, nodeName }, metadata: { ...report.metadata, labels: {} } });
    own.doubtAll();
    await run();
    expect(stored()?.metadata.labels).to.deep.equal({ [POD_UID_LABEL]: 'pod-1' });
    expect(stored()?.spec.nodeName).to.equal(nodeName);
  });

  it('removes the report of an executor that is gone, once', async () => {
    const { api, run, world } = setUp();
    await run();
    world.gone = true;
    await run();
    await run();
    expect(api.calls.filter((call) => call.startsWith('remove'))).to.deep.equal([`remove ${NAME}`]);
  });

  it('does not forget a report that it could not remove, whatever stands in its place by now (GC-2)', async () => {
    const { api, run, stored, world } = setUp();
    await run();
    world.gone = true;
    api.put(newExecutorPodStatus(pod, ref));
    await run();
    expect(stored()).to.not.equal(undefined);
    await run();
    expect(stored()).to.equal(undefined);
  });

  it('makes and replaces nothing after the stop has begun (WP-12)', async () => {
    const { api, own, run, stop } = setUp();
    api.put(newExecutorPodStatus({ ...pod, uid: 'pod-0' }, ref));
    await own.list();
    api.calls.length = 0;
    stop.abort();
    await run();
    expect(api.calls).to.deep.equal([]);
  });

  it('waits before it makes a report again that vanishes again and again, and then makes it (ID-9)', async () => {
    const { api, own, run, time } = setUp();
    await run();
    for (let round = 0; round < 5; round++) {
      api.reports.delete(NAME);
      own.doubtAll();
      await run();
      api.nowMs += 1000;
    }
    expect(api.reports.has(NAME)).to.equal(false);
    const due: string[] = [];
    time.alarms.due.subscribe((key) => due.push(key));
    time.scheduler.flush();
    expect(due).to.deep.equal(['x']);
    expect(time.scheduler.now()).to.equal(60_000);
    api.nowMs += 60_000;
    await run();
    expect(api.reports.has(NAME)).to.equal(true);
  });

  it('leaves out what the report CRD does not have, stores the rest at once, and tries again later (AP-7, UP-1)', async () => {
    const { api, own, run, stored } = setUp();
    api.undeclared = ['writerVersion', 'lastSucceededGeneration'];
    await run();
    expect(stored()?.status)
      .to.include({ succeeded: true })
      .and.not.have.any.keys('writerVersion', 'lastSucceededGeneration');
    const before = api.calls.length;
    await run();
    expect(api.calls).to.have.length(before);
    api.undeclared = [];
    api.nowMs += 300_000;
    own.doubtAll();
    await run();
    expect(stored()?.status).to.include({ writerVersion: '0.1.0', lastSucceededGeneration: 1 });
  });

  it('does nothing before the first build has ended', async () => {
    const { api, run, world } = setUp();
    world.verdict = undefined;
    await run();
    expect(api.calls).to.deep.equal([]);
  });

  function setUp() {
    const api = new MemoryApi();
    const own = new OwnReports(api, pod);
    const stop = new AbortController();
    const scheduler = new VirtualTimeScheduler();
    const alarms = new KeyTimers(scheduler);
    const world: { gone: boolean; verdict: Verdict | undefined } = { gone: false, verdict: verdict({}) };
    const log = createLog({ level: 'error', write: () => {} });
    const parts = {
      client: api,
      pod,
      own,
      log,
      signal: stop.signal,
      clock: api.clock,
      undeclaredMs: 300_000,
    };
    const reconcile = reconcileReport({
      ...parts,
      writer: new ReportWriter({ ...parts, metrics: createMetrics() }),
      vanishings: new Vanishings(),
      alarms,
      isGone: () => world.gone,
      verdict: () => world.verdict,
      writerVersion: '0.1.0',
      today: () => new Date('2026-08-06T10:00:00Z'),
    });
    return {
      api,
      own,
      stop,
      world,
      time: { scheduler, alarms },
      run: () => reconcile('x'),
      say: (fields: Said) => {
        world.verdict = verdict(fields);
      },
      stored: () => api.reports.get(NAME),
    };
  }
});

interface Said {
  readonly succeeded?: boolean;
  readonly generation?: number;
}

function verdict({ succeeded = true, generation = 1 }: Said): Verdict {
  const reason = succeeded ? 'Built' : 'BuildFailed';
  const error = succeeded ? {} : { error: 'e', briefError: 'e' };
  const lists = { material: [], warnings: [], files: [] };
  return {
    uid: 'uid-1',
    generation,
    outcome: { succeeded, reason, blocksSet: !succeeded, retryable: false, ...error, ...lists },
  };
}

async function failed(promise: Promise<unknown>): Promise<void> {
  const settled = await promise.then(
    () => 'succeeded',
    () => 'failed',
  );
  expect(settled).to.equal('failed');
}

import { KubeError, type RemoveTarget, type Resource } from '@executor-status/kube';
import { createMetrics } from '@executor-status/process';
import { expect } from 'chai';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { silentLog } from '../../../test/support/silent-log.ts';
import { AGGREGATOR_METRICS } from './aggregator-metrics.ts';
import { type KubePod, projectPod } from './pod.ts';
import { Sweeper, type SweeperParts } from './sweeper.ts';
import { World } from './world.ts';

const name = (number: number) => `pod-${String(number).padStart(4, '0')}`;

/** Reports about `default` in a world whose watches know of no pod, and an API server that may know better. */
class Sweep {
  readonly world = new World(['ratify']);
  /** Pods and executors that the API server has. */
  readonly pods = new Map<string, KubePod>();
  readonly executors = new Set(['default']);
  readonly removals: { readonly name: string; readonly atMs: number; readonly target: RemoveTarget }[] = [];
  readonly reads: string[] = [];
  readonly metrics = createMetrics(AGGREGATOR_METRICS);
  leads = true;
  nowMs = 0;
  beforeRead: () => void = () => {};
  beforeRemoval: () => void = () => {};
  readonly sweeper: Sweeper;

  constructor(reports: number, parts: Partial<SweeperParts> = {}) {
    this.world.podsIn('ratify').apply({ kind: 'synced', objects: [] });
    this.world.executors.Executor.apply({ kind: 'synced', objects: [executor()] });
    const objects = Array.from({ length: reports }, (_, at) => report({ pod: name(at) }));
    this.world.reportsIn('ratify').apply({ kind: 'synced', objects });
    this.sweeper = this.#newSweeper(parts);
  }

  /** Looks every five seconds. */
  async until(untilMs: number): Promise<void> {
    while (this.nowMs <= untilMs) {
      const startedMs = this.nowMs;
      await this.sweeper.round();
      this.nowMs = Math.max(this.nowMs, startedMs + 5000);
    }
  }

  async figure(metric: string): Promise<number> {
    const text = await this.metrics.render();
    return Number(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  }

  #newSweeper(parts: Partial<SweeperParts>): Sweeper {
    return new Sweeper({
      client: {
        clock: {
          now: () => this.nowMs,
          wallMs: () => this.nowMs,
          sleep: async (ms) => void (this.nowMs += ms),
        },
        get: async (resource, ref) => this.#get(resource, ref.name) as never,
        remove: async (_resource, target) => this.#remove(target),
      },
      world: this.world,
      mode: 'on',
      confirmMs: 60_000,
      perSecond: 20,
      executorGroup: 'config.ratify.sh',
      isLeader: () => this.leads,
      log: silentLog,
      metrics: this.metrics,
      signal: new AbortController().signal,
      ...parts,
    });
  }

  #get(resource: Resource, wanted: string): object | undefined {
    this.reads.push(`${resource.kind} ${wanted}`);
    this.beforeRead();
    if (resource.kind === 'Pod') return this.pods.get(wanted);
    return this.executors.has(wanted) ? executor() : undefined;
  }

  #remove(target: RemoveTarget): boolean {
    this.beforeRemoval();
    this.removals.push({ name: target.name, atMs: this.nowMs, target });
    const gone = [...this.world.allReports()].find(({ metadata }) => metadata.name === target.name);
    if (gone !== undefined) this.world.reportsIn('ratify').apply({ kind: 'deleted', object: gone });
    return true;
  }
}

const refused = (code: number, missing?: 'kind') => {
  throw new KubeError({ verb: 'get', target: 'it', code, missing });
};

describe('Sweeper', () => {
  it('GC-3, B01: removes 1,000 orphans within ten minutes, at most 20 a second, each after a live read and by its uid', async () => {
    const sweep = new Sweep(1000);
    await sweep.until(55_000);
    expect(sweep.reads).to.deep.equal([]);
    await sweep.until(120_000);
    expect(sweep.removals).to.have.lengthOf(1000);
    expect(sweep.reads).to.have.lengthOf(1000);
    for (const { target } of sweep.removals) {
      expect(target).to.deep.include({ namespace: 'ratify', resourceVersion: '1' });
      expect(target.uid).to.match(/^report-of-uid-of-pod-/);
    }
    for (const [at, { atMs }] of sweep.removals.entries()) {
      const twentyBefore = sweep.removals[at - 20];
      if (twentyBefore !== undefined) expect(atMs - twentyBefore.atMs).to.be.at.least(999);
    }
    expect(await sweep.figure('executor_status_swept_total')).to.equal(1000);
    expect(await sweep.figure('executor_status_orphans')).to.equal(0);
  });

  it('GC-3: keeps the report of a pod that exists, although no watch has told of it', async () => {
    const sweep = new Sweep(2);
    sweep.pods.set(name(0), pod({ name: name(0) }));
    await sweep.until(100_000);
    expect(sweep.removals.map((removal) => removal.name)).to.deep.equal(['pod--0001-default']);
    expect(sweep.reads, 'each is asked for once').to.have.lengthOf(2);
  });

  it('takes another pod of the same name, and one that has failed, for no pod', async () => {
    const sweep = new Sweep(2);
    sweep.pods.set(name(0), pod({ name: name(0), uid: 'another' }));
    sweep.pods.set(name(1), pod({ name: name(1), phase: 'Failed' }));
    await sweep.until(100_000);
    expect(sweep.removals).to.have.lengthOf(2);
  });

  it('GC-2: removes the reports about an executor that is gone, and keeps those about one that exists after all', async () => {
    const sweep = new Sweep(0);
    const running = projectPod(pod(), '');
    sweep.world.podsIn('ratify').apply({ kind: 'synced', objects: [running] });
    const about = (executorName: string) =>
      report({ executorRef: { kind: 'Executor', name: executorName }, name: `about-${executorName}` });
    const objects = ['gone', 'unseen', 'default'].map((one) => {
      const object = about(one);
      return { ...object, metadata: { ...object.metadata, uid: one } };
    });
    sweep.world.reportsIn('ratify').apply({ kind: 'synced', objects });
    sweep.executors.add('unseen');
    await sweep.until(100_000);
    expect(sweep.removals.map((removal) => removal.name)).to.deep.equal(['about-gone']);
    expect(sweep.reads.toSorted()).to.deep.equal(['Executor gone', 'Executor unseen']);
  });

  it('keeps the reports about a kind that is not installed', async () => {
    const sweep = new Sweep(0);
    sweep.world.podsIn('ratify').apply({ kind: 'synced', objects: [projectPod(pod(), '')] });
    sweep.world.executors.Executor.apply({ kind: 'synced', objects: [] });
    sweep.world.reportsIn('ratify').apply({ kind: 'synced', objects: [report()] });
    sweep.beforeRead = () => refused(404, 'kind');
    await sweep.until(100_000);
    expect(sweep.removals).to.deep.equal([]);
  });

  for (const code of [401, 403, 429, 500, 503]) {
    it(`GC-3: removes nothing while the API server answers ${code}, and asks once a round`, async () => {
      const sweep = new Sweep(50);
      sweep.beforeRead = () => refused(code);
      await sweep.until(100_000);
      expect(sweep.removals).to.deep.equal([]);
      expect(sweep.reads.length).to.be.within(1, 9);
      expect(await sweep.figure('executor_status_orphans')).to.equal(50);
      sweep.beforeRead = () => {};
      await sweep.until(110_000);
      expect(sweep.removals).to.have.lengthOf(50);
    });
  }

  it('sees a report twice again that somebody has just changed', async () => {
    const sweep = new Sweep(1);
    sweep.beforeRemoval = () => refused(409);
    await sweep.until(110_000);
    expect(sweep.reads).to.have.lengthOf(1);
    sweep.beforeRemoval = () => {};
    await sweep.until(140_000);
    expect(sweep.removals).to.have.lengthOf(1);
  });

  it('GC-3: only tells once of each what it would remove, when that is wanted', async () => {
    const sweep = new Sweep(3, { mode: 'dry-run' });
    await sweep.until(200_000);
    expect(sweep.removals).to.deep.equal([]);
    expect(sweep.reads).to.have.lengthOf(3);
    expect(await sweep.figure('executor_status_orphans')).to.equal(3);
  });

  it('leaves removing to the leader, and has seen enough when it becomes that', async () => {
    const sweep = new Sweep(3);
    sweep.leads = false;
    await sweep.until(100_000);
    expect(sweep.reads).to.deep.equal([]);
    sweep.leads = true;
    await sweep.until(105_000);
    expect(sweep.removals).to.have.lengthOf(3);
  });

  it('stops in the middle when it does not lead any more', async () => {
    const sweep = new Sweep(100);
    sweep.beforeRead = () => {
      if (sweep.reads.length === 5) sweep.leads = false;
    };
    await sweep.until(100_000);
    expect(sweep.removals).to.have.lengthOf(4);
  });

  it('does nothing before everything has been listed', async () => {
    const sweep = new Sweep(1, { world: new World(['ratify', 'elsewhere']) });
    await sweep.until(100_000);
    expect(sweep.reads).to.deep.equal([]);
  });
});

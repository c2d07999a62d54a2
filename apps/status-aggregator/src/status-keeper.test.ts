import { type ExecutorStatus, encodedBytes } from '@executor-status/api';
import { KubeError } from '@executor-status/kube';
import { expect } from 'chai';
import { AggregatorSimulation } from '../../../test/support/aggregator-simulation.ts';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { gist } from '../../../test/support/status-story.ts';

const REF = { kind: 'Executor', name: 'default' } as const;
const numbered = (count: number, prefix = 'pod') =>
  Array.from({ length: count }, (_, at) => `${prefix}-${String(at).padStart(4, '0')}`);

const conditionTypes = ({ conditions = [] }: ExecutorStatus) => conditions.map(({ type }) => type);

describe('StatusKeeper', function () {
  this.timeout(60_000);

  /** Pods that have all built the executor `default`, long ago. */
  async function settled(names: readonly string[], settings = {}): Promise<AggregatorSimulation> {
    const simulation = new AggregatorSimulation(settings);
    await simulation.putExecutor(executor());
    for (const name of names) {
      await simulation.putPod(pod({ name }));
      await simulation.putReport(report({ pod: name }));
    }
    await simulation.passUntil(600);
    expect(gist(simulation.status(REF))).to.include({ ready: 'True/BuildsInAllPods' });
    simulation.server.writes.length = 0;
    return simulation;
  }

  it('SC-2: writes six times at most while 1,000 pods report in ten seconds, and shows the last within 1.5 s', async () => {
    const simulation = new AggregatorSimulation();
    const names = numbered(1000);
    for (const name of names) await simulation.putPod(pod({ name }));
    await simulation.putExecutor(executor());
    for (const [at, name] of names.entries()) {
      await simulation.passUntil((at + 1) / 100);
      await simulation.putReport(report({ pod: name }));
    }
    await simulation.passUntil(11.5);
    expect(simulation.status(REF).builds).to.equal('1000/1000');
    expect(gist(simulation.status(REF))).to.include({ succeeded: true, ready: 'True/BuildsInAllPods' });
    expect(simulation.server.writes.length).to.be.at.most(6);
    await simulation.passUntil(3600);
    expect(simulation.server.writes.length).to.be.at.most(6);
  });

  it('SC-2: is asked for few looks, however many reports come at once', async () => {
    const names = numbered(1000);
    const simulation = await settled(names);
    simulation.asks = 0;
    for (const name of names) await simulation.putReport(report({ pod: name, error: 'no key' }));
    await simulation.passUntil(610);
    expect(simulation.status(REF).podCounts).to.include({ failed: 1000 });
    expect(simulation.asks).to.be.at.most(20);
  });

  it('SC-2: looks a few times only while 1,000 pods build an edit, and shows the last within 1.5 s', async () => {
    const names = numbered(1000);
    const simulation = await settled(names);
    await simulation.change(REF, (one) => ({ ...one, metadata: { ...one.metadata, generation: 2 } }));
    simulation.asks = 0;
    for (const [at, name] of names.entries()) {
      await simulation.passUntil(600 + (at + 1) / 100);
      await simulation.putReport(report({ pod: name, executorGeneration: 2 }));
    }
    await simulation.passUntil(611.5);
    expect(simulation.status(REF)).to.deep.include({ builds: '1000/1000', observedGeneration: 2 });
    expect(simulation.asks).to.be.at.most(6);
  });

  it('SC-2: looks a few times only while 1,000 pods make their reports and then say the same', async () => {
    const names = numbered(1000);
    const simulation = new AggregatorSimulation();
    for (const name of names) await simulation.putPod(pod({ name }));
    await simulation.putExecutor(executor());
    await simulation.passUntil(1);
    simulation.asks = 0;
    for (const [at, name] of names.entries()) {
      await simulation.passUntil(1 + (at + 1) / 100);
      await simulation.putReport(report({ pod: name, silent: true }));
      await simulation.putReport(report({ pod: name, materialDigest: 'same' }));
    }
    await simulation.passUntil(12.5);
    expect(simulation.status(REF)).to.deep.include({ builds: '1000/1000', succeeded: true });
    expect(simulation.asks).to.be.at.most(6);
  });

  it('SC-2: shows at once that pods loaded other material, while many are still awaited', async () => {
    const names = numbered(1000);
    const simulation = await settled(names);
    await simulation.change(REF, (one) => ({ ...one, metadata: { ...one.metadata, generation: 2 } }));
    // Past the grace, what has been built counts.
    await simulation.putReport(report({ pod: 'pod-0000', executorGeneration: 2, materialDigest: 'new' }));
    await simulation.passUntil(661);
    for (const name of names.slice(1, 20)) {
      await simulation.putReport(report({ pod: name, executorGeneration: 2, materialDigest: 'new' }));
      await simulation.passUntil(simulation.nowS + 1);
    }
    expect(conditionTypes(simulation.status(REF))).not.to.include('MaterialDiverged');
    await simulation.putReport(report({ pod: 'pod-0020', executorGeneration: 2, materialDigest: 'other' }));
    await simulation.passUntil(simulation.nowS + 2);
    expect(conditionTypes(simulation.status(REF))).to.include('MaterialDiverged');
  });

  it('SC-2: writes when a write is due, however short ago and long the last look was', async () => {
    const simulation = await settled(['pod-a', 'pod-b'], { lookMs: 800 });
    await simulation.putReport(report({ pod: 'pod-a', error: 'no key' }));
    await simulation.passUntil(600.5);
    await simulation.putReport(report({ pod: 'pod-b', error: 'no file' }));
    await simulation.passUntil(610);
    const [first, second] = simulation.server.writes.map(({ atS }) => atS);
    // Its look is at 0.8 s, and a second has to be between two writes.
    expect([first, second]).to.deep.equal([600, 601]);
  });

  it('SC-2: shows a first failure within two seconds, and further ones of its kind as progress', async () => {
    const names = numbered(100);
    const simulation = await settled(names);
    for (const [at, name] of names.entries()) {
      await simulation.passUntil(600 + at / 10);
      await simulation.putReport(report({ pod: name, error: 'no key' }));
    }
    await simulation.passUntil(700);
    expect(simulation.server.writes[0]).to.have.property('atS').that.is.at.most(602);
    expect(simulation.server.writes[0]?.status).to.include({ succeeded: false });
    expect(simulation.status(REF).podCounts).to.include({ failed: 100 });
    expect(simulation.server.writes.length).to.be.at.most(6);
  });

  it('S1: writes three times at most for an edit that fifty pods build within two seconds', async () => {
    const names = numbered(50);
    const simulation = await settled(names);
    await simulation.change(REF, (one) => ({ ...one, metadata: { ...one.metadata, generation: 2 } }));
    for (const [at, name] of names.entries()) {
      await simulation.passUntil(600 + (at + 1) / 25);
      await simulation.putReport(report({ pod: name, executorGeneration: 2 }));
    }
    await simulation.passUntil(700);
    expect(gist(simulation.status(REF))).to.include({
      succeeded: true,
      generation: 2,
      ready: 'True/BuildsInAllPods',
    });
    expect(simulation.server.writes.length).to.be.at.most(3);
  });

  /** Replaces all pods, one every `everyS` seconds; each new one reports after half of that. */
  async function rollOut(
    simulation: AggregatorSimulation,
    old: readonly string[],
    everyS: number,
  ): Promise<void> {
    for (const [at, fresh] of numbered(old.length, 'new').entries()) {
      const atS = 600 + at * everyS;
      await simulation.passUntil(atS);
      await simulation.putPod(pod({ name: fresh }));
      await simulation.passUntil(atS + everyS / 2);
      await simulation.putReport(report({ pod: fresh }));
      await simulation.removePod(pod({ name: old[at] ?? '' }));
    }
  }

  it('FB-8, S6: writes ten times at most in five minutes of a healthy rollout, and never turns', async () => {
    const names = numbered(50);
    const simulation = await settled(names);
    await rollOut(simulation, names, 6);
    expect(simulation.nowS).to.be.at.least(890);
    expect(simulation.server.writes.length).to.be.within(2, 10);
    for (const { status } of simulation.server.writes)
      expect(gist(status)).to.include({ succeeded: true, ready: 'True/BuildsInAllPods' });
    await simulation.passUntil(1000);
    expect(simulation.status(REF).byPod?.map(({ id }) => id)).to.deep.equal(numbered(50, 'new'));
  });

  it('FB-8: writes nothing during a healthy rollout when only failures are asked for', async () => {
    const names = numbered(50);
    const simulation = await settled(names, { detail: 'failing' });
    await rollOut(simulation, names, 6);
    await simulation.passUntil(1000);
    expect(simulation.server.writes).to.deep.equal([]);
  });

  it('RP-10: writes nothing in an idle day with a comparison every five minutes', async () => {
    const simulation = await settled(numbered(20));
    for (let atS = 900; atS <= 86_400; atS += 300) {
      await simulation.passUntil(atS);
      await simulation.resync();
    }
    expect(simulation.server.tries.filter(({ atS }) => atS > 600)).to.deep.equal([]);
  });

  it('ST-2: writes twice at most when ten pods are lost at once', async () => {
    const names = numbered(10);
    const simulation = await settled(names);
    for (const name of names) await simulation.putPod(pod({ name, conditions: { Ready: 'Unknown' } }));
    await simulation.passUntil(660);
    expect(simulation.status(REF).podCounts).to.include({ stale: 10 });
    expect(simulation.server.writes.length).to.be.at.most(2);
  });

  it('FB-6: repairs twice, then writes once a minute, and is right within 90 s after the other stops', async () => {
    const simulation = await settled(['pod-a']);
    for (let atS = 600; atS < 1200; atS++) {
      await simulation.passUntil(atS);
      await simulation.change(REF, (one) => ({
        ...one,
        status: { ...one.status, succeeded: false, error: 'from Ratify' },
      }));
    }
    const early = simulation.server.writes.filter(({ atS }) => atS < 620);
    expect(
      early.map(({ atS }) => atS),
      'two repairs, ten seconds apart',
    ).to.satisfy(
      ([first, second, ...more]: number[]) =>
        Number(first) <= 605 && Number(second) - Number(first) >= 10 && more.length === 0,
    );
    const gaps = simulation.server.writes
      .slice(2)
      .map(({ atS }, at) => atS - (simulation.server.writes[at + 1]?.atS ?? 0));
    expect(Math.min(...gaps)).to.be.at.least(60);
    expect(gist(simulation.server.writes.at(-1)?.status ?? { succeeded: false }).others).to.deep.equal([
      'StatusContended=True/ForeignWriter',
    ]);
    await simulation.passUntil(1290);
    expect(gist(simulation.status(REF))).to.include({ succeeded: true, ready: 'True/BuildsInAllPods' });
    await simulation.passUntil(3000);
    expect(gist(simulation.status(REF)).others).to.deep.equal([]);
  });

  it('AG-9: leaves an executor whose status is always refused alone for longer and longer, and the others right', async () => {
    const simulation = new AggregatorSimulation();
    await simulation.putPod(pod());
    const names = numbered(20, 'executor');
    simulation.server.refuse = (key) => (key === 'executor-0000' ? 422 : undefined);
    for (const name of names) await simulation.putExecutor(executor({ name, uid: name }));
    for (const name of names)
      await simulation.putReport(report({ executorRef: { kind: 'Executor', name }, executorUID: name }));
    await simulation.passUntil(5);
    for (const name of names.slice(1)) {
      expect(gist(simulation.status({ kind: 'Executor', name }))).to.include({
        ready: 'True/BuildsInAllPods',
      });
    }
    await simulation.passUntil(3600);
    const tries = simulation.server.tries.filter(({ key }) => key === 'executor-0000').map(({ atS }) => atS);
    expect(tries.length).to.be.within(8, 25);
    expect(Number(tries.at(-1)) - Number(tries.at(-2))).to.be.at.least(240);
  });

  it('AG-9: writes other content at once when what it wanted before was refused for long', async () => {
    const simulation = await settled(['pod-a']);
    simulation.server.check = ({ error }) => {
      if (error?.includes('no key')) throw new KubeError({ verb: 'apply', target: 'default', code: 422 });
    };
    await simulation.putReport(report({ error: 'no key' }));
    await simulation.passUntil(2000);
    expect(simulation.server.writes).to.deep.equal([]);
    const tries = simulation.server.tries.length;
    await simulation.passUntil(2100);
    expect(simulation.server.tries.length - tries, 'it waits by now').to.be.at.most(1);
    await simulation.putReport(report({ error: 'denied' }));
    await simulation.passUntil(2101.5);
    expect(simulation.status(REF).error).to.contain('denied');
  });

  it('AG-9: writes further progress at once when what it wanted before was refused for long', async () => {
    const simulation = await settled(numbered(20), { graceMs: 3_600_000 });
    simulation.server.check = ({ builds }) => {
      if (builds === '1/20') throw new KubeError({ verb: 'apply', target: 'default', code: 422 });
    };
    await simulation.change(REF, (one) => ({ ...one, metadata: { ...one.metadata, generation: 2 } }));
    await simulation.putReport(report({ pod: 'pod-0000', executorGeneration: 2 }));
    await simulation.passUntil(1350);
    const tries = simulation.server.tries.length;
    await simulation.passUntil(1400);
    await simulation.resync();
    expect(simulation.server.tries.length - tries, 'it waits by now').to.equal(0);
    await simulation.putReport(report({ pod: 'pod-0001', executorGeneration: 2 }));
    await simulation.passUntil(1403);
    expect(simulation.status(REF)).to.include({ builds: '2/20' });
  });

  it('RP-3: does not read again and again while reads fail, and writes once they succeed', async () => {
    const simulation = await settled(['pod-a']);
    simulation.server.refuseRead = () => 503;
    await simulation.resync();
    for (let atS = 600; atS < 610; atS += 0.05) {
      await simulation.passUntil(atS);
      await simulation.putReport(report({ error: `cause ${Math.round(atS * 20)}` }));
    }
    expect(simulation.server.reads.length).to.be.within(2, 6);
    simulation.server.refuseRead = () => undefined;
    await simulation.passUntil(640);
    expect(simulation.status(REF)).to.include({ succeeded: false });
  });

  it('RP-3: looks again when a read of an executor that reports are ahead of has failed', async () => {
    const simulation = await settled(['pod-a']);
    simulation.server.refuseRead = () => 503;
    simulation.edit(REF);
    await simulation.putReport(report({ executorGeneration: 2 }));
    await simulation.passUntil(600.2);
    await simulation.putReport(report({ executorGeneration: 2, error: 'no key' }));
    simulation.server.refuseRead = () => undefined;
    await simulation.passUntil(602);
    expect(gist(simulation.status(REF))).to.include({ succeeded: false, generation: 2 });
  });

  it('HA-2: takes a write that was withheld for no failure, and makes it when it leads again', async () => {
    const simulation = await settled(['pod-a']);
    simulation.server.check = () => {
      throw new KubeError({ verb: 'apply', target: 'default', reason: 'Withheld' });
    };
    await simulation.putPod(pod({ name: 'pod-b' }));
    await simulation.putReport(report({ error: 'no key' }));
    await simulation.passUntil(602);
    expect(simulation.server.tries.filter(({ atS }) => atS >= 600)).to.have.lengthOf(1);
    simulation.server.check = () => {};
    await simulation.resync();
    await simulation.passUntil(603);
    expect(simulation.status(REF)).to.include({ succeeded: false });
  });

  it('HA-2: wakes up by itself after a withheld write when time changes the plan', async () => {
    const simulation = await settled(['pod-a']);
    simulation.server.check = () => {
      throw new KubeError({ verb: 'apply', target: 'default', reason: 'Withheld' });
    };
    await simulation.putPod(pod({ name: 'pod-b' }));
    await simulation.passUntil(630);
    simulation.server.check = () => {};
    await simulation.passUntil(661);
    expect(gist(simulation.status(REF))).to.include({ ready: 'False/PodsNotReporting' });
  });

  it('SC-2: does not let executors that need no write any more keep the others waiting', async () => {
    const simulation = new AggregatorSimulation({ successHoldMs: 0 });
    const names = numbered(330, 'executor');
    const about = (name: string, error?: string) =>
      report({ executorRef: { kind: 'Executor', name }, executorUID: name, ...(error && { error }) });
    await simulation.putPod(pod());
    for (const name of names) {
      await simulation.putReport(about(name));
      await simulation.putExecutor(executor({ name, uid: name }));
      await simulation.passUntil(simulation.nowS + 0.1);
    }
    await simulation.passUntil(600);
    simulation.server.writes.length = 0;
    for (const name of names) await simulation.putReport(about(name, 'no key'));
    await simulation.passUntil(600.1);
    expect(simulation.server.writes.length).to.equal(101);
    const waiting = names.filter((name) => simulation.status({ kind: 'Executor', name }).succeeded);
    for (const name of waiting.slice(0, 150)) await simulation.putReport(about(name));
    await simulation.passUntil(624);
    const late = waiting.slice(150).map((name) => simulation.status({ kind: 'Executor', name }).succeeded);
    expect(late.filter(Boolean)).to.deep.equal([]);
  });

  it('SC-2: lets what follows pay for writes that were tried again at once', async () => {
    const simulation = new AggregatorSimulation();
    await simulation.putPod(pod());
    const tried = new Map<string, number>();
    simulation.server.refuse = (key) => {
      const times = (tried.get(key) ?? 0) + 1;
      tried.set(key, times);
      return key !== 'last' && times <= 10 ? 409 : undefined;
    };
    const names = [...numbered(10, 'executor'), 'last'];
    for (const name of names) await simulation.putExecutor(executor({ name, uid: name }));
    await simulation.passUntil(30);
    const last = simulation.server.writes.find(({ key }) => key === 'last');
    expect(last?.atS).to.be.within(1, 1.2);
  });

  it('FB-6: does not take its own writes, whose answers were lost, for those of another manager', async () => {
    const simulation = await settled(['pod-a']);
    simulation.server.loses = () => true;
    const texts = ['no key', 'no file', 'denied', 'too late'];
    for (const [at, error] of texts.entries()) {
      const saidS = 620 + 20 * at;
      await simulation.passUntil(saidS);
      await simulation.putReport(report({ error }));
      await simulation.passUntil(saidS + 1.5);
      await simulation.hear(REF);
      await simulation.passUntil(saidS + 10);
      expect(simulation.status(REF).error).to.contain(error);
      expect(gist(simulation.status(REF)).others).to.deep.equal([]);
    }
    const times = simulation.server.writes.map(({ atS }) => Math.floor(atS));
    expect(times, 'each once, and at once').to.deep.equal([620, 640, 660, 680]);
    expect(
      simulation.events.map(({ reason }) => reason),
      'what has begun is told all the same',
    ).to.deep.equal(['BuildFailed']);
  });

  it('FB-6: knows its own write whose answer was lost after later tries that were refused', async () => {
    const simulation = await settled(['pod-a']);
    for (const [at, error] of ['no key', 'no file', 'denied', 'too late'].entries()) {
      const saidS = 620 + 20 * at;
      await simulation.passUntil(saidS);
      simulation.server.loses = () => true;
      await simulation.putReport(report({ error }));
      simulation.server.refuse = () => 503;
      await simulation.passUntil(saidS + 4);
      simulation.server.refuse = () => undefined;
      await simulation.hear(REF);
      await simulation.passUntil(saidS + 15);
      expect(simulation.status(REF).error).to.contain(error);
      expect(gist(simulation.status(REF)).others).to.deep.equal([]);
    }
    const times = simulation.server.writes.map(({ atS }) => Math.floor(atS));
    expect(times, 'each once').to.deep.equal([620, 640, 660, 680]);
  });

  it('HA-5: does not give the Lease up for two lost answers an hour apart', async () => {
    const simulation = await settled(['pod-a']);
    const stuck: number[] = [];
    simulation.trouble.stuck.forEach((forMs) => void stuck.push(forMs)).catch(() => undefined);
    simulation.server.loses = () => true;
    await simulation.putReport(report({ error: 'no key' }));
    await simulation.passUntil(4200);
    await simulation.putReport(report());
    await simulation.passUntil(4300);
    expect(simulation.status(REF)).to.include({ succeeded: true });
    expect(stuck).to.deep.equal([]);
  });

  it('HA-5: does not give the Lease up for two writes that fail an hour apart', async () => {
    const simulation = await settled(['pod-a']);
    const stuck: number[] = [];
    simulation.trouble.stuck.forEach((forMs) => void stuck.push(forMs)).catch(() => undefined);
    simulation.server.refuse = () => 503;
    await simulation.putReport(report({ error: 'no key' }));
    await simulation.putReport(report());
    await simulation.passUntil(630);
    await simulation.passUntil(4200);
    await simulation.putReport(report({ error: 'no key' }));
    await simulation.passUntil(4201);
    expect(simulation.server.tries.length).to.be.at.least(2);
    expect(stuck).to.deep.equal([]);
    await simulation.passUntil(4300);
    expect(stuck, 'but for one that fails for a minute').not.to.be.empty;
  });

  it('SC-4: tries a whole status again after an edit, or some hours after it was found too large', async () => {
    const simulation = new AggregatorSimulation();
    const names = numbered(100);
    let maxBytes = 20_000;
    simulation.server.check = (status) => {
      if (encodedBytes(status) > maxBytes)
        throw new KubeError({ verb: 'apply', target: 'default', code: 413 });
    };
    const say = async (executorGeneration: number) => {
      for (const name of names)
        await simulation.putReport(report({ pod: name, executorGeneration, error: 'e'.repeat(400) }));
    };
    const entries = () =>
      simulation.status(REF).byPod?.filter(({ error = '' }) => error.length >= 400).length;
    await simulation.putExecutor(executor());
    for (const name of names) await simulation.putPod(pod({ name }));
    await say(1);
    await simulation.passUntil(100);
    expect(entries()).to.equal(0);
    maxBytes = 1_000_000;
    await simulation.passUntil(3600);
    await simulation.resync();
    expect(entries(), 'not so soon').to.equal(0);
    await simulation.passUntil(7 * 3600);
    await simulation.resync();
    await simulation.passUntil(7 * 3600 + 100);
    expect(entries(), 'after some hours').to.equal(100);
    maxBytes = 20_000;
    await simulation.change(REF, (one) => ({ ...one, metadata: { ...one.metadata, generation: 2 } }));
    await simulation.passUntil(8 * 3600);
    expect(entries()).to.equal(0);
    maxBytes = 1_000_000;
    await simulation.change(REF, (one) => ({ ...one, metadata: { ...one.metadata, generation: 3 } }));
    await simulation.passUntil(8 * 3600 + 200);
    expect(entries(), 'after an edit').to.equal(100);
  });

  it('SC-4, B33: sends half as much when the server finds a status too large, and never the same again', async () => {
    const simulation = new AggregatorSimulation();
    const names = numbered(100);
    const sizes: number[] = [];
    simulation.server.check = (status) => {
      sizes.push(encodedBytes(status));
      if (encodedBytes(status) > 20_000) throw new KubeError({ verb: 'apply', target: 'default', code: 413 });
    };
    await simulation.putExecutor(executor());
    for (const name of names) await simulation.putPod(pod({ name }));
    for (const name of names) await simulation.putReport(report({ pod: name, error: 'e'.repeat(400) }));
    await simulation.passUntil(60);
    expect(simulation.status(REF)).to.include({ succeeded: false, truncated: true });
    expect(simulation.status(REF).podCounts).to.include({ failed: 100 });
    const refused = sizes.filter((bytes) => bytes > 20_000);
    expect(refused).not.to.deep.equal([]);
    expect(
      refused.toSorted((a, b) => b - a),
      'each try is smaller',
    ).to.deep.equal([...new Set(refused)]);
  });

  it('G6: lands after twenty newer versions, with a look at each', async () => {
    const simulation = await settled(['pod-a']);
    let conflicts = 20;
    simulation.server.refuse = () => (conflicts-- > 0 ? 409 : undefined);
    await simulation.putReport(report({ error: 'no key' }));
    await simulation.passUntil(610);
    expect(simulation.server.writes).to.have.lengthOf(1);
    expect(simulation.status(REF)).to.include({ succeeded: false });
  });

  it('B25: ends in what is true after good, bad, good in no time, and silence, whatever the watch has told', async () => {
    const simulation = await settled(['pod-a']);
    for (const error of ['no key', undefined, 'no key', undefined]) {
      await simulation.passUntil(simulation.nowS + 0.06);
      await simulation.putReport(report({ ...(error && { error }) }));
    }
    await simulation.passUntil(620);
    expect(gist(simulation.status(REF))).to.deep.include({
      succeeded: true,
      error: '',
      ready: 'True/BuildsInAllPods',
    });
  });

  it('HA-1: plans without a write while another leads, and writes when it leads itself', async () => {
    const simulation = await settled(['pod-a']);
    simulation.leads = false;
    await simulation.putReport(report({ error: 'no key' }));
    await simulation.passUntil(700);
    expect(simulation.server.tries.filter(({ atS }) => atS > 600)).to.deep.equal([]);
    simulation.leads = true;
    await simulation.resync();
    expect(simulation.status(REF)).to.include({ succeeded: false });
  });

  it('WP-8: looks at the whole set when one of it begins or ceases to block, and at no other time', async () => {
    const simulation = new AggregatorSimulation();
    await simulation.putPod(pod());
    for (const name of ['a', 'b']) await simulation.putExecutor(executor({ name, uid: name }));
    const says = (name: string, error?: string) =>
      simulation.putReport(
        report({
          executorRef: { kind: 'Executor', name },
          executorUID: name,
          ...(error && { error, blocksSet: true }),
        }),
      );
    await says('a');
    await says('b', 'no key');
    await simulation.passUntil(5);
    expect(gist(simulation.status({ kind: 'Executor', name: 'a' }))).to.include({
      succeeded: true,
      ready: 'False/BlockedBySibling',
    });
    await says('b');
    await simulation.passUntil(20);
    expect(gist(simulation.status({ kind: 'Executor', name: 'a' }))).to.deep.include({
      ready: 'True/BuildsInAllPods',
      others: [],
    });
  });

  it('WP-8: lets a failure that does not block its set block nobody', async () => {
    const simulation = new AggregatorSimulation();
    await simulation.putPod(pod());
    for (const name of ['a', 'b']) await simulation.putExecutor(executor({ name, uid: name }));
    const about = (name: string) => ({ executorRef: { kind: 'Executor', name } as const, executorUID: name });
    await simulation.putReport(report(about('a')));
    await simulation.putReport(report({ ...about('b'), error: 'no key', blocksSet: false }));
    await simulation.passUntil(5);
    expect(gist(simulation.status({ kind: 'Executor', name: 'a' }))).to.include({
      ready: 'True/BuildsInAllPods',
    });
  });

  it('reads an executor anew when a pod reports a generation that its watch has not told yet', async () => {
    const simulation = await settled(['pod-a']);
    simulation.edit(REF);
    await simulation.putReport(report({ executorGeneration: 2, error: 'no key' }));
    await simulation.passUntil(601);
    expect(gist(simulation.status(REF))).to.include({
      succeeded: false,
      generation: 2,
      ready: 'False/PodsFailed',
    });
  });
});

describe('StatusKeeper, with a CRD that lacks our fields', () => {
  /** A server whose CRD knows these fields of the status. */
  function withFields(simulation: AggregatorSimulation, known: readonly string[]): void {
    simulation.server.check = (status) => {
      // As the API server does, one at a time.
      const unknown = Object.keys(status).find((field) => !known.includes(field));
      const detail = `.status.${unknown}: field not declared in schema`;
      if (unknown !== undefined) throw new KubeError({ verb: 'apply', target: 'default', code: 500, detail });
    };
  }

  it('AP-7, B36: stores the rest at once, and does not ask again', async () => {
    const simulation = new AggregatorSimulation();
    withFields(simulation, ['succeeded', 'error', 'briefError']);
    await simulation.putPod(pod());
    await simulation.putExecutor(executor());
    await simulation.putReport(report({ error: 'no key' }));
    await simulation.passUntil(100);
    expect(simulation.status(REF)).to.deep.equal({
      succeeded: false,
      error: '1/1 replicas unhealthy: no key (pod-a)',
      briefError: 'no key',
    });
    const refusals = () => simulation.server.tries.length - simulation.server.writes.length;
    expect(refusals(), 'one for each field').to.equal(9);
    for (let atS = 300; atS < 3000; atS += 300) {
      await simulation.passUntil(atS);
      await simulation.resync();
    }
    expect(simulation.server.writes.length).to.be.at.most(2);
    expect(refusals()).to.equal(9);
  });

  it('AP-7: keeps what was stored until a verdict is settled, after a restart too', async () => {
    const simulation = new AggregatorSimulation();
    withFields(simulation, ['succeeded', 'error', 'briefError']);
    await simulation.putPod(pod());
    await simulation.putPod(pod({ name: 'pod-b' }));
    await simulation.putExecutor(executor({ status: { succeeded: true } }));
    await simulation.putReport(report());
    await simulation.passUntil(5);
    expect(simulation.status(REF)).to.include({ succeeded: true });
    await simulation.putReport(report({ pod: 'pod-b', error: 'no key' }));
    await simulation.passUntil(10);
    expect(simulation.status(REF)).to.include({ succeeded: false });
  });
});

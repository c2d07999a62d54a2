import type { Executor, ExecutorRef } from '@executor-status/api';
import { KeyTimers } from '@executor-status/controller';
import type { Outcome } from '@executor-status/executor';
import { createMetrics } from '@executor-status/process';
import { expect } from 'chai';
import { VirtualTimeScheduler } from 'rxjs';
import { BuildRounds } from './build-rounds.ts';
import { executorKey, refOfKey } from './executor-key.ts';
import { ExecutorSets, watchedExecutor } from './executor-sets.ts';
import type { SetMember } from './outcome-source.ts';
import { WatchedFiles } from './watched-files.ts';

describe('BuildRounds', () => {
  const SET = '';

  it('builds each executor of the set once (FB-1, B05)', async () => {
    const world = new World({ a: {}, b: {} });
    await world.round();
    await world.round();
    expect(world.built).to.deep.equal(['a/1', 'b/1']);
    expect(world.read).to.deep.equal(['a', 'b']);
    expect(world.told).to.deep.equal(['a', 'b']);
  });

  it('builds only what was edited', async () => {
    const world = await built({ a: {}, b: {} });
    world.edit('a');
    await world.round();
    expect(world.built).to.deep.equal(['a/2']);
    expect(world.verdict('a')).to.include({ generation: 2 });
  });

  it('does not build when only the status, labels or other annotations changed (FB-1)', async () => {
    const world = await built({ a: {} });
    world.touch('a');
    await world.round();
    expect(world.read).to.deep.equal([]);
  });

  it('builds an executor again that was made anew with the same generation (RP-7)', async () => {
    const world = await built({ a: {} });
    world.show({ name: 'a', uid: 'uid-2', generation: 1 });
    await world.round();
    expect(world.verdict('a')).to.include({ uid: 'uid-2', generation: 1 });
  });

  it('says of a newer object than the watch shows what it built, and builds that only once', async () => {
    const world = new World({ a: {} });
    world.objects.set('a', executor({ name: 'a', generation: 2 }));
    await world.round();
    world.show({ name: 'a', generation: 2 });
    await world.round();
    expect(world.built).to.deep.equal(['a/2']);
    expect(world.verdict('a')).to.include({ generation: 2 });
  });

  it('gives the verdict of N under N when the spec is edited during the build, and then that of N+1 (J3, FB-3)', async () => {
    const world = new World({ a: {} });
    const generations: unknown[] = [];
    world.rounds.verdicts.subscribe(() => generations.push(world.verdict('a')?.generation));
    let edited = false;
    world.onBuild = async () => {
      if (!edited) world.edit('a');
      edited = true;
    };
    await world.round();
    expect(world.wakes).to.deep.equal([SET]);
    await world.round();
    expect(generations).to.deep.equal([1, 2]);
  });

  it('starts no build of an executor that is being deleted, and keeps its verdict until it is gone (FB-4)', async () => {
    const world = await built({ a: {} });
    world.show({ name: 'a', generation: 2, deletionTimestamp: '2026-08-06T10:00:00Z' });
    world.rounds.ask('a', 'recheck');
    await world.round();
    expect(world.built).to.deep.equal([]);
    expect(world.verdict('a')).to.include({ generation: 1 });
    world.hide('a');
    await world.round();
    expect(world.verdict('a')).to.equal(undefined);
  });

  it('starts no build when the read shows what the watch has not said yet: a deletion', async () => {
    const world = new World({ a: {} });
    world.objects.set('a', executor({ name: 'a', deletionTimestamp: '2026-08-06T10:00:00Z' }));
    await world.round();
    expect(world.built).to.deep.equal([]);
  });

  it('builds the others when one cannot be read, and that one in the next round (B04)', async () => {
    const world = new World({ a: {}, b: {} });
    world.unreadable.add('a');
    await rejected(world.round(), 'cannot read a');
    expect(world.built).to.deep.equal(['b/1']);
    world.unreadable.clear();
    await world.round();
    expect(world.built).to.deep.equal(['b/1', 'a/1']);
  });

  it('does nothing about an executor that is gone when it is read', async () => {
    const world = new World({ a: {} });
    world.objects.delete('a');
    await world.round();
    expect(world.told).to.deep.equal([]);
  });

  it('judges the others anew when a member changes, without building them again', async () => {
    const world = await built({ a: { scope: 'x' }, b: { scope: 'x' } });
    expect(world.verdict('a')?.outcome.reason).to.equal('ConfigInvalid');
    world.edit('b', { scope: 'y' });
    await world.round();
    expect(world.built).to.deep.equal(['b/2']);
    expect(world.verdict('a')?.outcome.reason).to.equal('Built');
    expect(world.told).to.have.members(['a', 'b']);
  });

  it('judges the others anew when a member is gone, without building them again', async () => {
    const world = await built({ a: { scope: 'x' }, b: { scope: 'x' } });
    world.hide('b');
    await world.round();
    expect(world.built).to.deep.equal([]);
    expect(world.verdict('a')?.outcome.reason).to.equal('Built');
  });

  it('never shows a member without the conflict that a member not built yet brings', async () => {
    const world = new World({ a: { scope: 'x' }, b: { scope: 'x' } });
    const reasons: unknown[] = [];
    world.rounds.verdicts.subscribe((key) => reasons.push(world.verdict(key)?.outcome.reason));
    await world.round();
    expect(reasons).to.deep.equal(['ConfigInvalid', 'ConfigInvalid']);
  });

  it('goes on without a build that hangs, and never builds one executor twice at once (RP-6)', async () => {
    const world = new World({ a: {}, b: {} });
    const hanging = Promise.withResolvers<void>();
    world.onBuild = (name) => (name === 'a' ? hanging.promise : Promise.resolve());
    world.patience = Promise.resolve();
    await world.round();
    expect(world.wakes).to.deep.equal([SET]);
    world.edit('b');
    await world.round();
    expect(world.built).to.deep.equal(['a/1', 'b/2']);
    hanging.resolve();
    await world.settled(() => world.told.includes('a'));
    expect(world.verdict('a')).to.include({ generation: 1 });
  });

  it('calls a hanging build off when its executor is edited, and builds the new spec at once (WP-7)', async () => {
    const world = await hangingOn('a');
    world.edit('a');
    await world.round();
    expect(world.ended).to.deep.equal(['a/1']);
    await world.settled(() => world.wakes.length > 0);
    expect(world.wakes).to.deep.equal([SET]);
    await world.round();
    expect(world.built).to.deep.equal(['a/1', 'a/2']);
    expect(world.verdict('a')).to.include({ generation: 2 });
    expect(world.told).to.deep.equal(['a']);
  });

  it('leaves a hanging build alone while its executor is what it was', async () => {
    const world = await hangingOn('a');
    world.touch('a');
    await world.round();
    expect(world.ended).to.deep.equal([]);
  });

  it('builds an executor that was made anew while the build of the old one hung (ID-5, RP-7)', async () => {
    const world = await hangingOn('a', { looksAtItsSignal: false });
    world.hide('a');
    await world.round();
    world.show({ name: 'a', uid: 'uid-2', generation: 1 });
    await world.round();
    expect(world.built).to.deep.equal(['a/1']);
    world.hanging.resolve();
    await world.settled(() => world.wakes.length > 0);
    expect(world.wakes).to.deep.equal([SET]);
    await world.round();
    expect(world.verdict('a')).to.include({ uid: 'uid-2' });
  });

  it('does not wait for a build of an executor that is gone (RP-7)', async () => {
    const world = await hangingOn('a');
    world.hide('a');
    await world.round();
    world.show({ name: 'a', uid: 'uid-2', generation: 1 });
    await world.round();
    expect(world.verdict('a')).to.include({ uid: 'uid-2' });
  });

  it('does not follow the files of an executor that went while it was built', async () => {
    const world = await hangingOn('a', { looksAtItsSignal: false });
    world.outcomes.set('a', { ...success(), files: ['/certs/a.crt'] });
    world.hide('a');
    await world.round();
    world.hanging.resolve();
    await world.settled(() => world.ended.length > 0);
    world.look = 'new';
    expect(await world.files.changed()).to.deep.equal([]);
    expect(world.wakes).to.deep.equal([]);
  });

  it('builds again by time: a retry of what may pass, else the re-check (WP-6)', async () => {
    const world = new World({ a: {}, b: {} });
    world.outcomes.set('a', failure({ retryable: true, reason: 'ProviderThrottled' }));
    await world.round();
    world.pass(1500);
    await world.round();
    expect(world.built).to.deep.equal(['a/1', 'b/1', 'a/1']);
    expect(await world.builds()).to.deep.equal({ change: 2, retry: 1 });
    world.outcomes.clear();
    world.pass(2500);
    await world.round();
    world.pass(3_700_000);
    await world.round();
    expect(await world.builds()).to.deep.equal({ change: 2, retry: 2, recheck: 2 });
  });

  it('tells nobody when a build says what the last one said (WP-2)', async () => {
    const world = await built({ a: {} });
    world.rounds.ask('a', 'recheck');
    await world.round();
    expect(world.built).to.deep.equal(['a/1']);
    expect(world.told).to.deep.equal([]);
  });

  it('builds without reading what has not changed, also while the API server is away (RP-8)', async () => {
    const world = await built({ a: {} });
    world.unreadable.add('a');
    world.rounds.ask('a', 'file');
    await world.round();
    expect(world.built).to.deep.equal(['a/1']);
    expect(world.read).to.deep.equal([]);
  });

  it('follows the files that a build read', async () => {
    const world = new World({ a: {} });
    world.outcomes.set('a', { ...success(), files: ['/certs/a.crt'] });
    await world.round();
    world.look = 'new';
    expect(await world.files.changed()).to.deep.equal(['a']);
  });

  /** A world in which the first build of `name` hangs until it is told to end, and the round of it is over. */
  async function hangingOn(name: string, { looksAtItsSignal = true } = {}): Promise<World> {
    const world = new World({ [name]: {} });
    let first = true;
    world.onBuild = async (_, signal) => {
      if (!first) return;
      first = false;
      if (looksAtItsSignal) signal.addEventListener('abort', () => world.hanging.resolve());
      await world.hanging.promise;
    };
    world.patience = Promise.resolve();
    await world.round();
    world.patience = new Promise(() => {});
    world.wakes.length = 0;
    return world;
  }

  async function built(specs: Readonly<Record<string, Spec>>): Promise<World> {
    const world = new World(specs);
    await world.round();
    for (const list of [world.built, world.read, world.told]) list.length = 0;
    return world;
  }
});

interface Spec {
  readonly scope?: string;
}

/** A set of executors in an API server, and a source of outcomes, both in memory; time stands still until it is passed. */
class World {
  readonly objects = new Map<string, Executor>();
  readonly outcomes = new Map<string, Outcome>();
  readonly unreadable = new Set<string>();
  readonly built: string[] = [];
  readonly read: string[] = [];
  readonly told: string[] = [];
  readonly wakes: string[] = [];
  readonly sets = new ExecutorSets();
  readonly files = new WatchedFiles(async () => ({ mark: this.look }));
  readonly rounds: BuildRounds;
  look = 'old';
  patience: Promise<void> = new Promise(() => {});
  onBuild: (name: string, signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  readonly hanging = Promise.withResolvers<void>();
  /** Builds that were called off. */
  readonly ended: string[] = [];
  readonly #metrics = createMetrics();
  readonly #time = new VirtualTimeScheduler();
  #version = 1;

  constructor(specs: Readonly<Record<string, Spec>>) {
    for (const [name, spec] of Object.entries(specs)) this.objects.set(name, executor({ name }, spec));
    this.sets.apply('Executor', { kind: 'synced', objects: [...this.objects.values()].map(watchedExecutor) });
    const timers = new KeyTimers(this.#time);
    this.rounds = new BuildRounds({
      sets: this.sets,
      files: this.files,
      timers,
      read: (ref) => this.#read(ref),
      source: {
        round: () => ({ build: (one, signal) => this.#build(one, signal) }),
        judge: (set) => set.map((member) => judge(member, set)),
      },
      times: {
        retryBaseMs: 1000,
        retryMaxMs: 300_000,
        retrySlowAfterMs: 600_000,
        retrySlowMs: 900_000,
        recheckMs: 3_600_000,
      },
      concurrency: 1,
      patienceMs: 5000,
      clock: { now: () => this.#time.now(), wallMs: () => 0, sleep: () => this.patience },
      today: () => new Date('2026-08-06T10:00:00Z'),
      random: () => 0.5,
      metrics: this.#metrics,
      signal: new AbortController().signal,
    });
    this.rounds.verdicts.subscribe((key) => this.told.push(key));
    this.rounds.wakes.subscribe((set) => this.wakes.push(set));
    timers.due.subscribe((key) => this.rounds.ask(key));
  }

  round = () => this.rounds.run('');
  verdict = (key: string) => this.rounds.verdict(refOfKey(key));

  edit(name: string, spec?: Spec): void {
    const { metadata, spec: old } = this.objects.get(name) ?? executor({ name });
    this.show({ ...metadata, generation: (metadata.generation ?? 0) + 1 }, spec ?? (old as Spec));
  }

  touch(name: string): void {
    const { metadata, spec } = this.objects.get(name) ?? executor({ name });
    this.show({ ...metadata, labels: { touched: 'yes' }, annotations: { other: 'x' } }, spec as Spec);
  }

  show(metadata: Executor['metadata'], spec: Spec = {}): void {
    const object = executor({ ...metadata, resourceVersion: String(++this.#version) }, spec);
    this.objects.set(metadata.name, object);
    this.sets.apply('Executor', { kind: 'applied', object: watchedExecutor(object) });
  }

  hide(name: string): void {
    const object = this.objects.get(name) ?? executor({ name });
    this.objects.delete(name);
    this.sets.apply('Executor', { kind: 'deleted', object: watchedExecutor(object) });
  }

  /** Lets `ms` pass, and everything that is due happen. */
  pass(ms: number): void {
    this.#time.maxFrames = this.#time.now() + ms;
    this.#time.flush();
    this.#time.frame = this.#time.maxFrames;
  }

  async settled(condition: () => boolean): Promise<void> {
    for (let turn = 0; turn < 1000 && !condition(); turn++) await new Promise(setImmediate);
  }

  /** How many builds there were, by trigger. */
  async builds(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const [, trigger = '', count] of (await this.#metrics.render()).matchAll(
      /^executor_builds_total\{trigger="(\w+)".*\} (\d+)$/gm,
    )) {
      counts[trigger] = (counts[trigger] ?? 0) + Number(count);
    }
    return counts;
  }

  async #read(ref: ExecutorRef): Promise<Executor | undefined> {
    this.read.push(executorKey(ref));
    if (this.unreadable.has(ref.name)) throw new Error(`cannot read ${ref.name}`);
    return this.objects.get(ref.name);
  }

  async #build({ metadata }: Executor, signal: AbortSignal): Promise<Outcome> {
    const build = `${metadata.name}/${metadata.generation}`;
    this.built.push(build);
    signal.addEventListener('abort', () => this.ended.push(build));
    await this.onBuild(metadata.name, signal);
    return this.outcomes.get(metadata.name) ?? success();
  }
}

function judge({ executor: one, outcome }: SetMember, set: readonly SetMember[]): Outcome | undefined {
  const scopeOf = ({ spec }: Executor) => (spec as Spec).scope;
  const taken = set.some(
    ({ executor: other }) => other !== one && scopeOf(other) !== undefined && scopeOf(other) === scopeOf(one),
  );
  return outcome && (taken ? failure({ reason: 'ConfigInvalid' }) : outcome);
}

function executor(metadata: Executor['metadata'], spec: Spec = {}): Executor {
  return {
    apiVersion: 'config.ratify.sh/v2alpha1',
    kind: 'Executor',
    metadata: { uid: 'uid-1', generation: 1, resourceVersion: '1', ...metadata },
    spec,
  };
}

function success(): Outcome {
  return {
    succeeded: true,
    reason: 'Built',
    blocksSet: false,
    retryable: false,
    material: [],
    warnings: [],
    files: [],
  };
}

function failure(fields: Partial<Outcome>): Outcome {
  return { ...success(), succeeded: false, blocksSet: true, error: 'e', briefError: 'e', ...fields };
}

async function rejected(promise: Promise<unknown>, message: string): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(Error).with.property('message', message);
}

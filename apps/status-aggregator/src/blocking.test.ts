import { expect } from 'chai';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { Blocking } from './blocking.ts';
import { projectPod } from './pod.ts';
import { World } from './world.ts';

describe('Blocking', () => {
  function worldOf(...names: string[]): World {
    const world = new World(['ratify']);
    world.podsIn('ratify').apply({ kind: 'synced', objects: [projectPod(pod(), '')] });
    world.reportsIn('ratify').apply({ kind: 'synced', objects: [] });
    for (const name of names) add(world, name);
    return world;
  }
  const add = (world: World, name: string) =>
    world.executors.Executor.apply({ kind: 'applied', object: executor({ name, uid: name }) });
  const fail = (world: World, name: string, error?: string) =>
    world.reportsIn('ratify').apply({
      kind: 'applied',
      object: report({
        executorRef: { kind: 'Executor', name },
        executorUID: name,
        ...(error && { error, blocksSet: true }),
      }),
    });

  it('WP-8: tells the set of an executor that blocks from the start, also when a neighbour has asked about it before', () => {
    const world = worldOf('a', 'c');
    const blocking = new Blocking(world);
    expect([blocking.refresh('a'), blocking.blockerOf('a')]).to.deep.equal([false, undefined]);
    fail(world, 'b', 'no key');
    add(world, 'b');
    expect(blocking.blockerOf('c')).to.equal('b');
    expect(blocking.refresh('b'), 'a has not heard of it yet').to.equal(true);
    expect(blocking.refresh('b'), 'twice is no news').to.equal(false);
    expect(blocking.blockerOf('a')).to.equal('b');
  });

  it('WP-8: tells the set of an executor that is gone', () => {
    const world = worldOf('a', 'b');
    const blocking = new Blocking(world);
    fail(world, 'b', 'no key');
    blocking.refresh('b');
    world.executors.Executor.apply({ kind: 'deleted', object: executor({ name: 'b', uid: 'b' }) });
    expect([blocking.refresh('b'), blocking.blockerOf('a')]).to.deep.equal([true, undefined]);
  });

  it('SE-7: blocks, and is named to, the executors of its own namespace only', () => {
    const world = worldOf('cluster-wide');
    for (const [namespace, name] of [
      ['x', 'a'],
      ['x', 'b'],
      ['y', 'c'],
    ] as const) {
      const object = executor({ name, namespace, uid: name });
      world.executors.NamespacedExecutor.apply({ kind: 'applied', object });
    }
    const executorRef = { kind: 'NamespacedExecutor', namespace: 'x', name: 'a' } as const;
    const object = report({ executorRef, executorUID: 'a', error: 'no key', blocksSet: true });
    world.reportsIn('ratify').apply({ kind: 'applied', object });
    const blocking = new Blocking(world);
    expect(blocking.refresh('x/a')).to.equal(true);
    const blockers = ['x/b', 'y/c', 'cluster-wide'].map((key) => blocking.blockerOf(key));
    expect(blockers).to.deep.equal(['a', undefined, undefined]);
  });
});

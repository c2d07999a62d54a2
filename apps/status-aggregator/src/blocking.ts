import type { ExecutorPodStatus } from '@executor-status/api';
import { objectKey } from '@executor-status/controller';
import { refOfKey } from './executor-key.ts';
import { byText } from './judge-pods.ts';
import type { World } from './world.ts';

/**
 * Which executors keep Ratify from loading their set. Each is judged when it is looked at, and its neighbours take that answer, so
 * that one report costs one executor, and its set only when the answer flips.
 */
export class Blocking {
  readonly #world: World;
  readonly #judged = new Map<string, boolean>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Judges one executor anew. Returns whether the answer flipped: then its set must be looked at. */
  refresh(key: string): boolean {
    const before = this.#judged.get(key) ?? false;
    const blocks = this.#judge(key);
    // One that is gone needs no memory: nobody is in a set with it any more.
    if (this.#world.executor(key) === undefined) this.#judged.delete(key);
    else this.#judged.set(key, blocks);
    return blocks !== before;
  }

  /** The name of the first other executor of its set, by name, that blocks. */
  blockerOf(key: string): string | undefined {
    const others = this.#world.setOf(key).filter((other) => other !== key && this.#blocks(other));
    const [first] = others.toSorted(byText);
    return first === undefined ? undefined : refOfKey(first).name;
  }

  /** Never notes what it finds: an answer that nobody has been told is a flip when its own turn comes. */
  #blocks(key: string): boolean {
    return this.#judged.get(key) ?? this.#judge(key);
  }

  #judge(key: string): boolean {
    const uid = this.#world.executor(key)?.metadata.uid;
    if (uid === undefined) return false;
    return this.#world.possibleBlockers(key).some((report) => this.#isBlockage(report, uid));
  }

  /** The last word of an expected pod counts, also about an older generation: its Ratify knows nothing newer. */
  #isBlockage({ metadata, spec, status }: ExecutorPodStatus, executorUid: string): boolean {
    if (status?.executorUID !== executorUid) return false;
    const { namespace = '' } = metadata;
    const pod = this.#world.podsIn(namespace).get(objectKey({ namespace, name: spec.pod.name }));
    return pod?.metadata.uid === spec.pod.uid && pod.expected;
  }
}

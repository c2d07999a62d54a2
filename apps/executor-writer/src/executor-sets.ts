import {
  EXECUTOR_KINDS,
  type ExecutorKind,
  type ExecutorRef,
  REFRESH_ANNOTATION,
} from '@executor-status/api';
import { type KubeObject, Store, type WatchEvent } from '@executor-status/controller';
import { executorKey, executorRef, setKey } from './executor-key.ts';

/** What is kept of an executor that is watched: enough for the change key, and to see that it is being deleted. */
export interface WatchedExecutor {
  readonly metadata: KubeObject['metadata'] & {
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** Drops everything of an object (or its metadata alone) that a {@link WatchedExecutor} does not have. */
export function watchedExecutor(object: WatchedExecutor): WatchedExecutor {
  const { name, namespace, uid, resourceVersion, generation, deletionTimestamp, annotations } =
    object.metadata;
  const refresh = annotations?.[REFRESH_ANNOTATION];
  return {
    metadata: {
      name,
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      ...(generation !== undefined && { generation }),
      ...(deletionTimestamp && { deletionTimestamp }),
      ...(refresh !== undefined && { annotations: { [REFRESH_ANNOTATION]: refresh } }),
    },
  };
}

/** The executors of both kinds as the watches show them, by set. */
export class ExecutorSets {
  readonly #stores = Object.fromEntries(EXECUTOR_KINDS.map((kind) => [kind, newStore()])) as Record<
    ExecutorKind,
    ReturnType<typeof newStore>
  >;

  /** Takes in what the watch of `kind` said. Returns the executors that changed, came or went by it. */
  apply(kind: ExecutorKind, event: WatchEvent<WatchedExecutor>): readonly ExecutorRef[] {
    const changes = this.#stores[kind].apply(event);
    return changes.flatMap(({ before, after = before }) => (after ? [executorRef(after.metadata)] : []));
  }

  /** Takes in an executor that was read just now, ahead of the watch. */
  remember(executor: WatchedExecutor): void {
    this.#stores[executorRef(executor.metadata).kind].remember(watchedExecutor(executor));
  }

  get(ref: ExecutorRef): WatchedExecutor | undefined {
    return this.#stores[ref.kind].get(executorKey(ref));
  }

  /** All executors of one set. */
  members(set: string): readonly WatchedExecutor[] {
    return this.#stores[set === '' ? 'Executor' : 'NamespacedExecutor'].by('set', set);
  }

  /** Whether all executors of a kind have been listed. */
  synced(kind: ExecutorKind): boolean {
    return this.#stores[kind].synced;
  }

  /** Whether an executor is known to be no longer there: never before the first complete list of its kind. */
  isGone(ref: ExecutorRef): boolean {
    return this.#stores[ref.kind].synced && this.get(ref) === undefined;
  }
}

function newStore() {
  return new Store<WatchedExecutor, 'set'>({ indexes: { set: ({ metadata }) => setKey(metadata) } });
}

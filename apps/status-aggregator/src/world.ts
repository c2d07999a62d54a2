import {
  EXECUTOR_KINDS,
  type Executor,
  type ExecutorKind,
  type ExecutorPodStatus,
  type ExecutorRef,
} from '@executor-status/api';
import { Store } from '@executor-status/controller';
import { executorKey, refOf, refOfKey } from './executor-key.ts';
import type { Pod } from './pod.ts';
import { contradictsItself, hasProperName } from './report-identity.ts';

type ExecutorStore = Store<Executor, 'set'>;
type ReportStore = Store<ExecutorPodStatus, 'executor' | 'misnamed'>;
type PodStore = Store<Pod, 'name'>;

/**
 * All that is known of the cluster, by key and by index: executors of both kinds, and the reports and pods of each namespace
 * that Ratify runs in.
 */
export class World {
  readonly executors: Readonly<Record<ExecutorKind, ExecutorStore>> = {
    Executor: newExecutorStore(),
    NamespacedExecutor: newExecutorStore(),
  };
  readonly #reports: ReadonlyMap<string, ReportStore>;
  readonly #pods: ReadonlyMap<string, PodStore>;

  /** @param namespaces - in which Ratify's pods run. */
  constructor(namespaces: readonly string[]) {
    this.#reports = new Map(namespaces.map((namespace) => [namespace, newReportStore()]));
    this.#pods = new Map(namespaces.map((namespace) => [namespace, newPodStore()]));
  }

  /** @throws {RangeError} if Ratify does not run there. */
  reportsIn(namespace: string): ReportStore {
    return storeOf(this.#reports, namespace);
  }

  /** @throws {RangeError} if Ratify does not run there. */
  podsIn(namespace: string): PodStore {
    return storeOf(this.#pods, namespace);
  }

  /** Whether all reports and pods have been listed; until then nothing can be said of any executor. */
  get synced(): boolean {
    return [...this.#reports.values(), ...this.#pods.values()].every((store) => store.synced);
  }

  executor(key: string): Executor | undefined {
    return this.#store(key).get(key);
  }

  /** Takes in what the API server answered, ahead of the watch. */
  remember(executor: Executor): void {
    this.executors[executor.kind].remember(executor);
  }

  allKeys(): string[] {
    return EXECUTOR_KINDS.flatMap((kind) =>
      [...this.executors[kind].values()].map((one) => executorKey(refOf(one))),
    );
  }

  *allExecutors(): IterableIterator<Executor> {
    for (const kind of EXECUTOR_KINDS) yield* this.executors[kind].values();
  }

  /** The keys of the executors of its set, itself included. */
  setOf(key: string): string[] {
    const ref = refOfKey(key);
    return this.executors[ref.kind].by('set', ref.namespace ?? '').map((one) => executorKey(refOf(one)));
  }

  /** Undefined while its kind has not been listed. */
  hasExecutor(ref: ExecutorRef): boolean | undefined {
    return this.executors[ref.kind].synced ? this.executor(executorKey(ref)) !== undefined : undefined;
  }

  *allReports(): IterableIterator<ExecutorPodStatus> {
    for (const store of this.#reports.values()) yield* store.values();
  }

  allPods(): Pod[] {
    return [...this.#pods.values()].flatMap((store) => [...store.values()]);
  }

  /** The reports that name the executor, and those of them whose own names say otherwise. */
  reportsOf(key: string): {
    readonly reports: readonly ExecutorPodStatus[];
    readonly contradictory: readonly ExecutorPodStatus[];
  } {
    const all = [...this.#reports.values()].flatMap((store) => store.by('executor', key));
    const known = {
      pod: (name: string) => [...this.#pods.values()].some((store) => store.by('name', name).length > 0),
      executor: (ref: ExecutorRef) => this.executor(executorKey(ref)) !== undefined,
    };
    const misnamed = [...this.#reports.values()].flatMap((store) => store.by('misnamed', key));
    const contradictory = misnamed.filter((report) => contradictsItself(report, known));
    if (contradictory.length === 0) return { reports: all, contradictory };
    const ignored = new Set(contradictory);
    return { reports: all.filter((report) => !ignored.has(report)), contradictory };
  }

  /** The reports that name the executor and may say that it blocks its set; few of many. */
  possibleBlockers(key: string): readonly ExecutorPodStatus[] {
    const blocks = ({ status }: ExecutorPodStatus) =>
      status?.succeeded === false && status.blocksSet === true;
    const found = [...this.#reports.values()].some((store) => store.by('executor', key).some(blocks));
    return found ? this.reportsOf(key).reports.filter(blocks) : [];
  }

  #store(key: string): ExecutorStore {
    return this.executors[refOfKey(key).kind];
  }
}

function storeOf<T>(stores: ReadonlyMap<string, T>, namespace: string): T {
  const store = stores.get(namespace);
  if (store === undefined) throw new RangeError(`nothing is watched in namespace ${namespace}`);
  return store;
}

const newExecutorStore = (): ExecutorStore =>
  new Store({ indexes: { set: ({ metadata }: Executor) => metadata.namespace ?? '' } });

const newReportStore = (): ReportStore =>
  new Store({
    indexes: {
      executor: ({ spec }: ExecutorPodStatus) => executorKey(spec.executorRef),
      // Of thousands of reports about an executor, its looks need not ask for those.
      misnamed: (report: ExecutorPodStatus) =>
        hasProperName(report) ? undefined : executorKey(report.spec.executorRef),
    },
  });

const newPodStore = (): PodStore => new Store({ indexes: { name: ({ metadata }: Pod) => metadata.name } });

import {
  DashPackError,
  type ExecutorPodStatus,
  type ExecutorRef,
  type PodIdentity,
  type ReportStatus,
  reportName,
} from '@executor-status/api';
import { type KubeClient, reportResource } from '@executor-status/kube';
import { executorKey } from './executor-key.ts';

/**
 * The reports under this pod's name: listed once, kept up to date by the answers to own writes, and read again one by one
 * when there is doubt. They are not watched.
 */
export class OwnReports {
  readonly #client: KubeClient;
  readonly #pod: PodIdentity;
  readonly #known = new Map<string, Known>();
  readonly #doubted = new Set<string>();

  constructor(client: KubeClient, pod: PodIdentity) {
    this.#client = client;
    this.#pod = pod;
  }

  /**
   * Reads all reports that bear this pod's name, also those of a predecessor of the same name.
   *
   * @throws {KubeError}
   */
  async list(): Promise<void> {
    const { namespace, name } = this.#pod;
    const { items } = await this.#client.list<ExecutorPodStatus>(REPORTS, {
      namespace,
      fieldSelector: `spec.pod.name=${name}`,
    });
    for (const report of items) {
      if (isNamedProperly(report)) this.remember(report);
    }
  }

  /** The executors about which a report is known, or was when it was last looked at. */
  refs(): readonly ExecutorRef[] {
    return [...this.#known.values()].map(({ ref }) => ref);
  }

  /** What the API server held about this executor when it was last heard. */
  stored(ref: ExecutorRef): ExecutorPodStatus | undefined {
    return this.#known.get(executorKey(ref))?.stored;
  }

  /**
   * What the API server holds about this executor; from memory, unless there is doubt.
   *
   * @throws {KubeError}
   */
  async read(ref: ExecutorRef): Promise<ExecutorPodStatus | undefined> {
    const key = executorKey(ref);
    if (!this.#doubted.has(key)) return this.stored(ref);
    const name = reportName(this.#pod.name, ref);
    const stored = await this.#client.get<ExecutorPodStatus>(REPORTS, {
      namespace: this.#pod.namespace,
      name,
    });
    const known = this.#known.get(key);
    if (known !== undefined || stored !== undefined) this.#known.set(key, { ref, stored, last: known?.last });
    this.#doubted.delete(key);
    return stored;
  }

  /** What this pod said last about this executor, in this process or, after a restart, in an earlier one. */
  last(ref: ExecutorRef): ReportStatus | undefined {
    return this.#known.get(executorKey(ref))?.last;
  }

  /** Takes in what the API server holds: from a list, or as the answer to an own write. */
  remember(report: ExecutorPodStatus): void {
    const { executorRef: ref, pod } = report.spec;
    const key = executorKey(ref);
    const last = pod.uid === this.#pod.uid ? report.status : undefined;
    this.#known.set(key, { ref, stored: report, last: last ?? this.#known.get(key)?.last });
    this.#doubted.delete(key);
  }

  /** The report is gone, and no longer wanted. */
  forget(ref: ExecutorRef): void {
    this.#known.delete(executorKey(ref));
    this.#doubted.delete(executorKey(ref));
  }

  /** What is known about this report may be wrong: it is read before the next decision. */
  doubt(ref: ExecutorRef): void {
    this.#doubted.add(executorKey(ref));
  }

  /** All of them may have been edited or deleted. */
  doubtAll(): void {
    for (const { ref } of this.#known.values()) this.doubt(ref);
  }
}

/** The kind of the reports. */
export const REPORTS = reportResource();

/** The name is the key under which a report is written; one of another name is not ours to touch. */
function isNamedProperly({ metadata, spec }: ExecutorPodStatus): boolean {
  try {
    return metadata.name === reportName(spec.pod.name, spec.executorRef);
  } catch (error) {
    // Names that no object can have: somebody else has put it there.
    if (error instanceof DashPackError) return false;
    throw error;
  }
}

interface Known {
  readonly ref: ExecutorRef;
  readonly stored: ExecutorPodStatus | undefined;
  readonly last: ReportStatus | undefined;
}

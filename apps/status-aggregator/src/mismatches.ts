import type { ExecutorPodStatus } from '@executor-status/api';
import type { Log, Metrics } from '@executor-status/process';

/** Counts reports whose names say something else than their specs, each once. They count for nobody. */
export class Mismatches {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #noted = new Set<string>();

  constructor({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }) {
    this.#log = log;
    this.#metrics = metrics;
  }

  note({ metadata, spec }: ExecutorPodStatus): void {
    const { uid = '', namespace, name } = metadata;
    if (this.#noted.has(uid)) return;
    this.#noted.add(uid);
    this.#metrics.count('executor_status_identity_mismatch_total');
    this.#log.warn('ignored a report whose name says something else than its spec', {
      report: `${namespace}/${name}`,
      pod: spec.pod.name,
      executor: spec.executorRef.name,
    });
  }

  /** A report is gone: its uid never comes back. */
  forget(uid: string): void {
    this.#noted.delete(uid);
  }
}

import {
  type ExecutorPodStatus,
  type ExecutorRef,
  newExecutorPodStatus,
  type PodIdentity,
  type ReportStatus,
  WRITER_FIELD_MANAGER,
} from '@executor-status/api';
import { type KubeClient, KubeError } from '@executor-status/kube';
import type { Log, Metrics } from '@executor-status/process';
import { REPORTS } from './own-reports.ts';

/** What writing a report needs. */
export interface WriterParts {
  readonly client: KubeClient;
  readonly pod: PodIdentity;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Ends calls that are open. */
  readonly signal: AbortSignal;
  /** How long a field that the CRD did not have is left out before it is tried again, in milliseconds. */
  readonly undeclaredMs: number;
}

/**
 * The writes of this program: of its own reports, by server-side apply as their sole manager, with force and without a
 * resource version, so that no edit by others can make them fail. Every method rejects with a `KubeError`.
 */
export class ReportWriter {
  readonly #parts: WriterParts;
  readonly #undeclared = new Set<string>();
  #undeclaredUntilMs = 0;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Fields of the status that the report CRD of this cluster does not have, as it has said not long ago. */
  get undeclared(): ReadonlySet<string> {
    if (this.#parts.client.clock.now() >= this.#undeclaredUntilMs) this.#undeclared.clear();
    return this.#undeclared;
  }

  /** Makes the object, or mends its label and owner; `stored` is what is there. Its status stays as it is. */
  async applyObject(ref: ExecutorRef, stored: ExecutorPodStatus | undefined): Promise<ExecutorPodStatus> {
    const wanted = newExecutorPodStatus(this.#parts.pod, ref);
    // The spec is immutable: one that is there is sent as it is.
    const object = stored === undefined ? wanted : { ...wanted, spec: stored.spec };
    return this.#counted('object', () => this.#apply(object));
  }

  /** Writes the whole status; without the fields that the report CRD turns out not to have. */
  async applyStatus(ref: ExecutorRef, status: ReportStatus): Promise<ExecutorPodStatus> {
    const { apiVersion, kind, metadata } = newExecutorPodStatus(this.#parts.pod, ref);
    const { name, namespace = '' } = metadata;
    let sent: Partial<ReportStatus> = status;
    for (;;) {
      const object = { apiVersion, kind, metadata: { name, namespace }, status: sent };
      try {
        return await this.#counted('status', () => this.#apply(object, 'status'));
      } catch (error) {
        const fields = Object.keys(sent).filter((field) => isUndeclared(error, field));
        if (fields.length === 0) throw error;
        this.#noteUndeclared(fields);
        sent = Object.fromEntries(Object.entries(sent).filter(([field]) => !fields.includes(field)));
      }
    }
  }

  /** Deletes this very object. False if it was not there any more; one that was made anew under its name stays. */
  async remove({ metadata }: ExecutorPodStatus): Promise<boolean> {
    const { client, pod, signal } = this.#parts;
    const { name, uid } = metadata;
    const target = { namespace: pod.namespace, name, ...(uid !== undefined && { uid }) };
    return this.#counted('remove', () => client.remove(REPORTS, target, { signal }));
  }

  #apply(object: object & Pick<ExecutorPodStatus, 'metadata'>, subresource?: 'status') {
    const { client, signal } = this.#parts;
    const options = { fieldManager: WRITER_FIELD_MANAGER, signal, ...(subresource && { subresource }) };
    return client.apply<ExecutorPodStatus>(REPORTS, object, options);
  }

  async #counted<T>(write: 'object' | 'status' | 'remove', call: () => Promise<T>): Promise<T> {
    const { metrics } = this.#parts;
    try {
      const answer = await call();
      metrics.count('executor_status_writes_total', { write, result: 'stored' });
      return answer;
    } catch (error) {
      metrics.count('executor_status_writes_total', { write, result: 'failed' });
      metrics.count('executor_status_write_failures_total', { code: codeOf(error) });
      throw error;
    }
  }

  #noteUndeclared(fields: readonly string[]): void {
    const { client, log, undeclaredMs } = this.#parts;
    for (const field of fields) this.#undeclared.add(field);
    this.#undeclaredUntilMs = client.clock.now() + undeclaredMs;
    log.error('the report CRD lacks fields, which are left out; apply crds/executorpodstatuses.yaml', {
      fields,
    });
  }
}

function isUndeclared(error: unknown, field: string): boolean {
  if (!(error instanceof KubeError)) return false;
  return error.undeclaredFields.some((path) => path.split(/[.[]/)[2] === field);
}

function codeOf(error: unknown): string {
  return error instanceof KubeError ? String(error.code ?? 'none') : 'none';
}

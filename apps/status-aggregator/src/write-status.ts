import type { Executor } from '@executor-status/api';
import { apiVersion, executorResource, type KubeClient, KubeError } from '@executor-status/kube';
import type { Log, Metrics } from '@executor-status/process';
import { executorKey, refOf } from './executor-key.ts';
import type { FieldPath } from './name-fields.ts';
import type { Plan, Write } from './plan-status.ts';
import { projectExecutor } from './projections.ts';
import type { WriteTrouble } from './write-trouble.ts';

/** What writing a status needs. */
export interface StatusWriterParts {
  readonly client: KubeClient;
  readonly executorGroup: string;
  readonly fieldManager: string;
  /** Whether this process may write right now; asked before each write, and again when it is sent. */
  readonly isLeader: () => boolean;
  /** For how many milliseconds nobody else can lead: a write that is not stored by then is given up. */
  readonly leaseLeftMs: () => number;
  readonly callTimeoutMs: number;
  readonly trouble: Pick<WriteTrouble, 'stored' | 'failed'>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Ends calls that are open. */
  readonly signal: AbortSignal;
}

/** What became of a write. */
export type WriteResult =
  | {
      readonly kind: 'written';
      readonly plan: Write;
      readonly answer: Executor;
      /** Fields that the CRD lacks, as far as that is news. */
      readonly leftOut: readonly string[];
    }
  /** Nothing had to be written any more; `plan` says why. */
  | { readonly kind: 'needless'; readonly plan: Plan }
  | { readonly kind: 'not-leader' };

/** Makes the plan anew, of the executor as it was just read. */
export type Replan = (executor: Executor | undefined) => Plan;

/** How often a write may meet a newer version before it backs off. */
const MAX_CONFLICTS = 10;

/**
 * The one place that writes statuses: by server-side apply with force, with the resource version that the plan was made from, so
 * that nothing is overwritten that the plan has not seen.
 */
export class StatusWriter {
  readonly #parts: StatusWriterParts;
  readonly #dropped = new Map<string, readonly FieldPath[]>();
  readonly #said = new Set<string>();

  constructor(parts: StatusWriterParts) {
    this.#parts = parts;
  }

  /** The fields that the CRD of a kind does not declare, as far as it has said so. */
  dropped(kind: string): readonly FieldPath[] {
    return this.#dropped.get(kind) ?? [];
  }

  /** Whether a CRD has refused fields. */
  get hasDropped(): boolean {
    return [...this.#dropped.values()].some((paths) => paths.length > 0);
  }

  /** The CRDs may have been updated: lets the next writes try all fields again. */
  forgetDropped(): void {
    this.#dropped.clear();
  }

  /**
   * Writes `plan` for `executor`. When the executor has moved on, reads it and plans anew, at once and up to ten times.
   *
   * @throws {KubeError} when it could not be written.
   */
  async write(executor: Executor, plan: Write, replan: Replan): Promise<WriteResult> {
    let [current, wanted] = [executor, plan];
    for (let conflicts = 0; ; ) {
      if (!this.#parts.isLeader()) return { kind: 'not-leader' };
      const failure = await this.#try(current, wanted);
      if ('answer' in failure) {
        const leftOut = this.#sayDropped(executor.kind);
        return { kind: 'written', plan: wanted, answer: failure.answer, leftOut };
      }
      if (isWithheld(failure.error)) return { kind: 'not-leader' };
      const moved = hasMoved(failure.error);
      if (moved ? ++conflicts > MAX_CONFLICTS : !this.#drop(executor.kind, failure.error))
        throw failure.error;
      const seen = moved ? await this.read(current) : current;
      const next = replan(seen);
      if (seen === undefined || next.kind === 'skip') return { kind: 'needless', plan: next };
      [current, wanted] = [seen, next];
    }
  }

  /** The executor as it is now; undefined if there is none of that name. */
  async read(executor: Executor): Promise<Executor | undefined> {
    const { client, signal } = this.#parts;
    const { name, namespace } = refOf(executor);
    const ref = { name, ...(namespace !== undefined && { namespace }) };
    const live = await client.get<Executor>(this.#resource(executor), ref, { signal });
    return live && projectExecutor(live, executor.kind);
  }

  async #try(executor: Executor, plan: Write): Promise<{ answer: Executor } | { error: unknown }> {
    try {
      const answer = await this.#apply(executor, plan);
      this.#count(plan, executor, 'stored');
      this.#parts.trouble.stored();
      return { answer: projectExecutor(answer, executor.kind) };
    } catch (error) {
      if (isWithheld(error)) return { error };
      const conflict = error instanceof KubeError && error.code === 409;
      this.#count(plan, executor, conflict ? 'conflict' : 'failed');
      this.#parts.trouble.failed(executorKey(refOf(executor)), error);
      if (!conflict)
        this.#parts.metrics.count('executor_status_write_failures_total', { code: codeOf(error) });
      return { error };
    }
  }

  #apply(executor: Executor, plan: Write): Promise<Executor> {
    const { client, fieldManager, isLeader, leaseLeftMs, callTimeoutMs, signal } = this.#parts;
    const resource = this.#resource(executor);
    const { name, namespace, resourceVersion } = executor.metadata;
    const object = {
      apiVersion: apiVersion(resource),
      kind: executor.kind,
      metadata: { name, ...(namespace && { namespace }), ...(resourceVersion && { resourceVersion }) },
      status: plan.named,
    };
    return client.apply<Executor>(resource, object, {
      fieldManager,
      subresource: 'status',
      signal,
      mayStill: isLeader,
      timeoutMs: Math.min(callTimeoutMs, leaseLeftMs()),
    });
  }

  #count({ urgency }: Write, { kind }: Executor, result: 'stored' | 'conflict' | 'failed'): void {
    this.#parts.metrics.count('executor_status_writes_total', { kind, urgency, result });
  }

  /** Notes the fields that the CRD was found to lack: the server names one at a time. False if it named no new one. */
  #drop(kind: string, error: unknown): boolean {
    const undeclared = error instanceof KubeError ? error.undeclaredFields.map(fieldPath) : [];
    const known = this.dropped(kind);
    const added = undeclared.filter(
      (path) => path.length > 0 && !known.some((one) => one.join() === path.join()),
    );
    this.#dropped.set(kind, [...known, ...added]);
    return added.length > 0;
  }

  /** Says what is left out, each field once, and returns what is new. */
  #sayDropped(kind: string): readonly string[] {
    const fields = this.dropped(kind).map((path) => path.join('.'));
    const news = fields.filter((field) => !this.#said.has(`${kind}.${field}`));
    if (news.length === 0) return news;
    for (const field of news) this.#said.add(`${kind}.${field}`);
    this.#parts.metrics.count('executor_status_dropped_fields_total', { kind }, news.length);
    this.#parts.log.error('the CRD lacks fields, which are left out; apply crds/status-patch.yaml', {
      kind,
      fields: news,
    });
    return news;
  }

  #resource({ kind }: Executor) {
    return executorResource(kind, this.#parts.executorGroup);
  }
}

/** `.status.byPod[0].reason` becomes `byPod`, `*`, `reason`. */
function fieldPath(undeclared: string): FieldPath {
  const [, status, ...path] = undeclared.replace(/\[[^\]]*\]/g, '.*').split('.');
  return status === 'status' ? path : [];
}

/** Somebody has changed the executor since it was read, or it is gone. */
function hasMoved(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 409 || error.missing === 'object');
}

/** It was this process's turn only when it did not lead any more. */
function isWithheld(error: unknown): boolean {
  return error instanceof KubeError && error.reason === 'Withheld';
}

function codeOf(error: unknown): string {
  return error instanceof KubeError ? String(error.code ?? 'none') : 'none';
}

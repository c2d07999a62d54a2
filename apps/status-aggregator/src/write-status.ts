import type { Executor } from '@executor-status/api';
import { apiVersion, executorResource, type KubeClient, KubeError } from '@executor-status/kube';
import type { Log, Metrics } from '@executor-status/process';
import { refOf } from './executor-key.ts';
import type { FieldPath } from './name-fields.ts';
import type { Plan, Write } from './plan-status.ts';
import { projectExecutor } from './projections.ts';

/** What writing a status needs. */
export interface StatusWriterParts {
  readonly client: KubeClient;
  readonly executorGroup: string;
  readonly fieldManager: string;
  /** Whether this process may write right now; asked before each write. */
  readonly isLeader: () => boolean;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Ends calls that are open. */
  readonly signal: AbortSignal;
}

/** What became of a write. */
export type WriteResult =
  | { readonly kind: 'written'; readonly plan: Write; readonly answer: Executor }
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
  readonly #dropped = new Map<string, FieldPath[]>();

  constructor(parts: StatusWriterParts) {
    this.#parts = parts;
  }

  /** The fields that the CRD of a kind does not declare, as far as it has said so. */
  dropped(kind: string): readonly FieldPath[] {
    return this.#dropped.get(kind) ?? [];
  }

  /** Lets the next write of a kind try all fields again. */
  forgetDropped(kind: string): void {
    this.#dropped.delete(kind);
  }

  /**
   * Writes `plan` for `executor`. When the executor has moved on, reads it and plans anew, at once and up to ten times.
   *
   * @throws {KubeError} when it could not be written.
   */
  async write(executor: Executor, plan: Write, replan: Replan): Promise<WriteResult> {
    let [current, wanted] = [executor, plan];
    for (let conflicts = 0; ; conflicts++) {
      if (!this.#parts.isLeader()) return { kind: 'not-leader' };
      try {
        return { kind: 'written', plan: wanted, answer: await this.#apply(current, wanted) };
      } catch (error) {
        if (conflicts >= MAX_CONFLICTS || !this.#canHelp(current, error)) throw error;
      }
      const live = await this.read(current);
      const next = replan(live);
      if (live === undefined || next.kind === 'skip') return { kind: 'needless', plan: next };
      [current, wanted] = [live, next];
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

  async #apply(executor: Executor, plan: Write): Promise<Executor> {
    const { client, fieldManager, signal } = this.#parts;
    const resource = this.#resource(executor);
    const { name, namespace, resourceVersion } = executor.metadata;
    const object = {
      apiVersion: apiVersion(resource),
      kind: executor.kind,
      metadata: { name, ...(namespace && { namespace }), ...(resourceVersion && { resourceVersion }) },
      status: plan.named,
    };
    try {
      const options = { fieldManager, subresource: 'status', signal } as const;
      const answer = await client.apply<Executor>(resource, object, options);
      this.#count(plan, executor, 'stored');
      return projectExecutor(answer, executor.kind);
    } catch (error) {
      const conflict = error instanceof KubeError && error.code === 409;
      this.#count(plan, executor, conflict ? 'conflict' : 'failed');
      if (!conflict)
        this.#parts.metrics.count('executor_status_write_failures_total', { code: codeOf(error) });
      throw error;
    }
  }

  #count({ urgency }: Write, { kind }: Executor, result: 'stored' | 'conflict' | 'failed'): void {
    this.#parts.metrics.count('executor_status_writes_total', { kind, urgency, result });
  }

  /** Whether another look at the executor can help: it has moved on, is gone, or its CRD lacks fields, which are then left out. */
  #canHelp({ kind }: Executor, error: unknown): boolean {
    if (!(error instanceof KubeError)) return false;
    if (error.undeclaredFields.length > 0) return this.#drop(kind, error.undeclaredFields);
    return error.code === 409 || error.missing === 'object';
  }

  #drop(kind: string, undeclared: readonly string[]): boolean {
    const known = this.dropped(kind);
    const added = undeclared
      .map(fieldPath)
      .filter((path) => path.length > 0 && !known.some((one) => one.join() === path.join()));
    if (added.length === 0) return false;
    this.#dropped.set(kind, [...known, ...added]);
    this.#parts.log.error('the CRD lacks fields, which are left out; apply crds/status-patch.yaml', {
      kind,
      fields: added.map((path) => path.join('.')),
    });
    return true;
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

function codeOf(error: unknown): string {
  return error instanceof KubeError ? String(error.code ?? 'none') : 'none';
}

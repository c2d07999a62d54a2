import { isDeepStrictEqual } from 'node:util';
import type { ExecutorPodStatus, ReportStatus } from '@executor-status/api';
import {
  type ApplyOptions,
  type Clock,
  type KubeClient,
  KubeError,
  type RemoveTarget,
  type Self,
} from '@executor-status/kube';

/** The API server as the writer uses it, in memory: reports, who is calling, and failures on demand. */
export class MemoryApi implements KubeClient {
  readonly reports = new Map<string, ExecutorPodStatus>();
  /** Every call so far, as `verb name`; `apply-status` for the subresource. */
  readonly calls: string[] = [];
  /** What the next calls fail with, by verb; an error that is used up is removed. */
  readonly failures = new Map<string, Error[]>();
  /** Fields of the status that the schema does not have. */
  undeclared: readonly string[] = [];
  self: Self = { username: 'nobody' };
  nowMs = 0;
  readonly clock: Clock = {
    now: () => this.nowMs,
    wallMs: () => this.nowMs,
    sleep: async (ms) => {
      this.nowMs += ms;
    },
  };
  #version = 0;

  failNext(verb: string, ...errors: readonly Error[]): void {
    this.failures.set(verb, [...(this.failures.get(verb) ?? []), ...errors]);
  }

  /** Puts a report there as somebody else would. */
  put(report: ExecutorPodStatus): void {
    const version = String(++this.#version);
    const metadata = { uid: `report-${version}`, ...report.metadata, resourceVersion: version };
    this.reports.set(report.metadata.name, { ...report, metadata });
  }

  async get<T>(_: unknown, { name }: { name: string }): Promise<T | undefined> {
    this.#called('get', name);
    return this.reports.get(name) as T | undefined;
  }

  async list<T>(): Promise<{ items: readonly T[]; resourceVersion: string }> {
    this.#called('list', '');
    return { items: [...this.reports.values()] as T[], resourceVersion: String(this.#version) };
  }

  async apply<T>(_: unknown, object: unknown, { subresource }: ApplyOptions): Promise<T> {
    const sent = object as ExecutorPodStatus;
    const { name } = sent.metadata;
    this.#called(subresource === undefined ? 'apply' : 'apply-status', name);
    const stored = this.reports.get(name);
    if (subresource === undefined) this.#applyObject(sent, stored);
    else this.#applyStatus(sent.status, stored);
    return this.reports.get(name) as T;
  }

  async remove(_: unknown, { name, uid }: RemoveTarget): Promise<boolean> {
    this.#called('remove', name);
    if (uid === undefined) throw new Error('a writer deletes nothing without its uid');
    if (this.reports.get(name)?.metadata.uid !== uid) return false;
    return this.reports.delete(name);
  }

  async request<T>({ verb, target }: { verb: string; target: string }): Promise<T> {
    this.#called(verb, target);
    return {} as T;
  }

  async selfSubjectReview(): Promise<Self> {
    this.#called('review', '');
    return this.self;
  }

  create = () => Promise.reject(new Error('a writer creates by apply'));
  replace = () => Promise.reject(new Error('a writer replaces nothing as a whole'));
  open = () => Promise.reject(new Error('not here'));
  close = () => Promise.resolve();

  #called(verb: string, name: string): void {
    this.calls.push(`${verb} ${name}`.trim());
    const error = this.failures.get(verb)?.shift();
    if (error !== undefined) throw error;
  }

  #applyObject(sent: ExecutorPodStatus, stored: ExecutorPodStatus | undefined): void {
    if (stored !== undefined && !isDeepStrictEqual(stored.spec, sent.spec))
      throw refusal({ code: 422, reason: 'Invalid' });
    this.put({ ...stored, ...sent, metadata: { ...stored?.metadata, ...sent.metadata } });
  }

  #applyStatus(status: ReportStatus | undefined, stored: ExecutorPodStatus | undefined): void {
    if (stored === undefined || status === undefined) throw refusal({ code: 404, missing: 'object' });
    const unknown = Object.keys(status).filter((field) => this.undeclared.includes(field));
    if (unknown.length > 0) {
      const detail = unknown.map((field) => `.status.${field}: field not declared in schema`).join(', ');
      throw refusal({ code: 500, detail });
    }
    this.put({ ...stored, status });
  }
}

/** An answer that says no. */
export function refusal(facts: Partial<ConstructorParameters<typeof KubeError>[0]>): KubeError {
  return new KubeError({ verb: 'apply', target: 'ExecutorPodStatus ratify/x', ...facts });
}

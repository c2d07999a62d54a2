import type { Executor, ExecutorStatus } from '@executor-status/api';
import { objectKey } from '@executor-status/controller';
import { type KubeClient, KubeError } from '@executor-status/kube';

/** One write of a status that was stored. */
export interface SimulatedWrite {
  readonly key: string;
  readonly atS: number;
  readonly status: ExecutorStatus;
  /** The field manager that wrote it. */
  readonly manager: string;
}

/** An API server in memory that knows executors, and refuses a write that was made from an older version. */
export class SimulatedServer {
  readonly writes: SimulatedWrite[] = [];
  /** Every write that was tried, with its time. */
  readonly tries: { readonly key: string; readonly atS: number }[] = [];
  /** Refuses a write with this HTTP status. */
  refuse: (key: string) => number | undefined = () => undefined;
  /** When an executor was read. */
  readonly reads: number[] = [];
  /** Refuses a read with this HTTP status. */
  refuseRead: () => number | undefined = () => undefined;
  /** Whether a write is stored and its answer lost on the way. */
  loses: () => boolean = () => false;
  /** Throws what the server says to a status that it will not have. */
  check: (status: ExecutorStatus) => void = () => {};
  /** Hears of each new version of an executor, as a watch does. */
  watch: (executor: Executor) => void = () => {};
  readonly #stored = new Map<string, Executor>();
  readonly #nowS: () => number;
  #version = 1;

  /** @param nowS - seconds of the simulated clock. */
  constructor(nowS: () => number) {
    this.#nowS = nowS;
  }

  /** As much of a client as the keeper of statuses calls. */
  get client(): KubeClient {
    const apply = async (
      _resource: unknown,
      sent: Executor,
      { fieldManager }: { readonly fieldManager: string },
    ) => this.#apply(sent, fieldManager);
    const get = async (_resource: unknown, ref: { readonly name: string }) => this.#read(objectKey(ref));
    return { apply, get } as unknown as KubeClient;
  }

  get(key: string): Executor | undefined {
    return this.#stored.get(key);
  }

  store(executor: Executor): Executor {
    const stored = this.versioned(executor);
    this.#stored.set(objectKey(stored.metadata), stored);
    this.watch(stored);
    return stored;
  }

  /** The object as its next version. */
  versioned<T extends { readonly metadata: object }>(object: T): T {
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version++) } };
  }

  #read(key: string): Executor | undefined {
    this.reads.push(this.#nowS());
    const code = this.refuseRead();
    if (code !== undefined) throw new KubeError({ verb: 'get', target: key, code });
    return this.get(key);
  }

  #apply(sent: Executor, manager: string): Executor {
    const key = objectKey(sent.metadata);
    const [stored, atS, status] = [this.#stored.get(key), this.#nowS(), sent.status ?? { succeeded: false }];
    this.tries.push({ key, atS });
    if (stored === undefined)
      throw new KubeError({ verb: 'apply', target: key, code: 404, missing: 'object' });
    const stale = sent.metadata.resourceVersion !== stored.metadata.resourceVersion;
    const code = this.refuse(key) ?? (stale ? 409 : undefined);
    if (code !== undefined) throw new KubeError({ verb: 'apply', target: key, code });
    this.check(status);
    this.writes.push({ key, atS, status, manager });
    const metadata = withManager(stored.metadata, { manager, atS, status });
    const answer = this.store({ ...stored, status, metadata });
    if (this.loses()) throw new KubeError({ verb: 'apply', target: key, reason: 'Timeout' });
    return answer;
  }
}

/** Every manager whose last write was forced holds the fields that it sent. */
function withManager(
  metadata: Executor['metadata'],
  { manager, atS, status }: Omit<SimulatedWrite, 'key'>,
): Executor['metadata'] {
  const others = (metadata.managedFields ?? []).filter((entry) => entry.manager !== manager);
  const own = {
    manager,
    operation: 'Apply',
    subresource: 'status',
    time: new Date(atS * 1000).toISOString(),
    fieldsV1: { 'f:status': Object.fromEntries(Object.keys(status).map((name) => [`f:${name}`, {}])) },
  };
  return { ...metadata, managedFields: [...others, own] };
}

import { setImmediate } from 'node:timers/promises';
import type { KubeClient } from '../src/kube-client.ts';
import { KubeError } from '../src/kube-error.ts';
import type { Lease } from '../src/lease.ts';

/** What a candidate asks of the API server. */
export type LeaseClient = Pick<KubeClient, 'get' | 'create' | 'replace'>;

/** The place where one Lease is kept, with optimistic locking, as the API server keeps it. */
export class LeaseStub {
  lease: Lease | undefined;
  #version = 0;
  readonly writes: string[] = [];

  /** A client for one candidate. `cut` says when it cannot reach the server; `wait` is passed before each answer. */
  client({ cut = () => false, wait = async () => undefined }: Partial<Line> = {}): LeaseClient {
    const call = async <T>(act: () => T): Promise<T> => {
      await wait();
      await setImmediate();
      if (cut()) throw new KubeError({ verb: 'reach', target: 'the lease', reason: 'Unreachable' });
      return act();
    };
    return {
      get: <T>() => call(() => this.lease as T | undefined),
      create: <T>(_resource: unknown, sent: unknown) => call(() => this.#create(sent as Lease) as T),
      replace: <T>(_resource: unknown, sent: unknown) => call(() => this.#replace(sent as Lease) as T),
    };
  }

  /** Somebody touches the object without meaning the election. */
  touch(): void {
    if (this.lease !== undefined) this.#store(this.lease);
  }

  #create(lease: Lease): Lease {
    if (this.lease !== undefined) throw conflict('AlreadyExists');
    return this.#store(lease);
  }

  #replace(lease: Lease): Lease {
    if (this.lease === undefined)
      throw new KubeError({ verb: 'replace', target: 'Lease', code: 404, missing: 'object' });
    if (lease.metadata.resourceVersion !== this.lease.metadata.resourceVersion) throw conflict('Conflict');
    return this.#store(lease);
  }

  #store(lease: Lease): Lease {
    this.#version += 1;
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: `${this.#version}` } };
    this.writes.push(lease.spec?.holderIdentity ?? '');
    return this.lease;
  }
}

interface Line {
  readonly cut: () => boolean;
  readonly wait: () => Promise<void>;
}

function conflict(reason: string): KubeError {
  return new KubeError({ verb: 'write', target: 'Lease', code: 409, reason });
}

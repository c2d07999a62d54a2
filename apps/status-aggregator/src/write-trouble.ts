import { KubeError } from '@executor-status/kube';
import { type Observable, Subject } from 'rxjs';

/** When a leader that cannot write is of no use. */
export interface TroubleSettings {
  /** For how long writes may fail without one that is stored in between, in milliseconds. */
  readonly limitMs: number;
  /** A clock that never jumps, in milliseconds. */
  readonly now: () => number;
}

/**
 * Notices that writes of statuses fail and fail, although the Lease can still be renewed. What the server has read and will not
 * have (a conflict, a status that it finds wrong) is no trouble: another process could not write it either.
 */
export class WriteTrouble {
  readonly #settings: TroubleSettings;
  readonly #stuck = new Subject<number>();
  /** The executors whose writes have failed and are still to be made. */
  readonly #failing = new Set<string>();
  #sinceMs: number | undefined;

  constructor(settings: TroubleSettings) {
    this.#settings = settings;
  }

  /** Speaks with every failure beyond the limit: for how many milliseconds nothing could be written. */
  get stuck(): Observable<number> {
    return this.#stuck;
  }

  /** A write was stored. */
  stored(): void {
    this.#failing.clear();
    this.#sinceMs = undefined;
  }

  /** Nothing is to be written any more of the executor `key`: what had failed may have been stored, or is of no use now. */
  calm(key: string): void {
    this.#failing.delete(key);
    if (this.#failing.size === 0) this.#sinceMs = undefined;
  }

  /** A write of the executor `key` has failed. */
  failed(key: string, error: unknown): void {
    if (!isTrouble(error)) return;
    this.#failing.add(key);
    const nowMs = this.#settings.now();
    this.#sinceMs ??= nowMs;
    const forMs = nowMs - this.#sinceMs;
    if (forMs >= this.#settings.limitMs) this.#stuck.next(forMs);
  }
}

function isTrouble(error: unknown): boolean {
  if (!(error instanceof KubeError) || error.reason === 'Aborted' || error.code === 409) return false;
  return error.retryable || error.code === 401 || error.code === 403;
}

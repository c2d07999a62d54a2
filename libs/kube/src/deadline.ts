/** A time limit joined to the caller's own signal. */
export interface Deadline {
  /** Aborted when the time is up, or when the caller's signal is. */
  readonly signal: AbortSignal;
  /** Whether the time ran out, rather than the caller's patience. */
  readonly expired: boolean;
  /** Ends the limit, but not what the caller's signal means. */
  clear(): void;
}

/** Starts a limit of `ms` milliseconds. Must be cleared. */
export function startDeadline(ms: number, outer?: AbortSignal): Deadline {
  const limit = new AbortController();
  const alarm = setTimeout(() => limit.abort(new Error(`no answer within ${ms} ms`)), ms);
  return {
    signal: outer === undefined ? limit.signal : AbortSignal.any([outer, limit.signal]),
    get expired() {
      return limit.signal.aborted;
    },
    clear: () => clearTimeout(alarm),
  };
}

/**
 * Work that is done once for all who ask under one key: it ends early only when nobody waits for it any more, and what was
 * ended so is done anew for whoever comes then. Answers and failures are kept.
 */
export class SharedWork<T> {
  readonly #begun = new Map<string, Begun<T>>();

  /**
   * The answer of `run`, which is called unless it was for this key before. Rejects with the reason of `signal` when that
   * aborts first; the others wait on.
   */
  async ask(key: string, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const begun = this.#begun.get(key) ?? this.#begin(key, run);
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    begun.waiting += 1;
    try {
      return await Promise.race([begun.answer, ended]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      begun.waiting -= 1;
      if (begun.waiting === 0 && signal.aborted) this.#callOff(key, begun);
    }
  }

  #begin(key: string, run: (signal: AbortSignal) => Promise<T>): Begun<T> {
    const ending = new AbortController();
    const begun: Begun<T> = { answer: run(ending.signal), ending, waiting: 0 };
    this.#begun.set(key, begun);
    return begun;
  }

  #callOff(key: string, begun: Begun<T>): void {
    this.#begun.delete(key);
    begun.ending.abort();
  }
}

interface Begun<T> {
  readonly answer: Promise<T>;
  readonly ending: AbortController;
  /** How many wait for the answer. */
  waiting: number;
}

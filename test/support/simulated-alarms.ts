/** One alarm per key, in simulated time, in milliseconds. */
export class SimulatedAlarms {
  readonly #now: () => number;
  readonly #due = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  set(key: string, inMs: number): void {
    this.#due.set(key, this.#now() + Math.max(0, inMs));
  }

  clear(key: string): void {
    this.#due.delete(key);
  }

  /** Takes the first one away that is due until `untilMs`. */
  take(untilMs: number): { readonly key: string; readonly atMs: number } | undefined {
    const [next] = [...this.#due].toSorted(([, a], [, b]) => a - b);
    if (next === undefined || next[1] > untilMs) return undefined;
    const [key, atMs] = next;
    this.#due.delete(key);
    return { key, atMs };
  }
}

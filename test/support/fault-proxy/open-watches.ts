/** A watch that is open. */
export interface OpenWatch {
  /** Of which client and resource: `ratify-0 executors`. */
  readonly key: string;
  /** The client's connection. */
  readonly connection: number;
  /** When it came: milliseconds of a clock that only goes forward. */
  readonly atMs: number;
}

/**
 * Counts the watches that are open, by client and resource. Two of one key count as open at one time when they are so for a
 * moment: that a client has left one is seen a little later than the next one comes.
 */
export class OpenWatches {
  readonly #open = new Map<string, Set<OpenWatch>>();
  readonly #most = new Map<string, number>();
  readonly #overlaps: string[] = [];

  /** Takes in a watch that opens. Returns what must be called when it ends, once or more often. */
  begin(watch: OpenWatch): () => void {
    const { key } = watch;
    const open = this.#open.get(key) ?? new Set();
    this.#open.set(key, open);
    open.add(watch);
    if (!this.#most.has(key)) this.#most.set(key, 1);
    if (open.size > 1) setTimeout(() => this.#note(key, open), MOMENT_MS).unref();
    return () => void open.delete(watch);
  }

  /** From now on nobody can tell what the client does with its connection. */
  forget(connection: number): void {
    for (const open of this.#open.values()) {
      for (const watch of open) if (watch.connection === connection) open.delete(watch);
    }
  }

  /** How many are open now, by key. */
  get now(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#open].map(([key, { size }]) => [key, size]));
  }

  /** The most that were ever open at one time, by key. */
  get most(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#most);
  }

  /** One line for each time that more than one of a key was open. */
  get overlaps(): readonly string[] {
    return this.#overlaps;
  }

  #note(key: string, open: ReadonlySet<OpenWatch>): void {
    if (open.size < 2) return;
    this.#most.set(key, Math.max(this.#most.get(key) ?? 0, open.size));
    const now = performance.now();
    const each = [...open].map(
      ({ connection, atMs }) => `on connection ${connection} for ${Math.round(now - atMs)} ms`,
    );
    this.#overlaps.push(`${key}: ${each.join(', ')}`);
  }
}

const MOMENT_MS = 250;

import type { KubeObject } from './watch-event.ts';

/** The values under which an index files an object; `undefined` files it nowhere. */
export type IndexFunction<T> = (object: T) => string | readonly string[] | undefined;

/** One index of a store: from a value to the objects that are filed under it. */
export class StoreIndex<T extends KubeObject> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #byValue = new Map<string, Map<string, T>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  get(value: string): readonly T[] {
    return [...(this.#byValue.get(value)?.values() ?? [])];
  }

  /** Files `after` under its values and takes `before` away from its own. */
  move(key: string, before: T | undefined, after: T | undefined): void {
    const values = after === undefined ? [] : this.#values(after);
    if (before !== undefined)
      for (const value of this.#values(before)) if (!values.includes(value)) this.#take(value, key);
    if (after !== undefined) for (const value of values) this.#put(value, key, after);
  }

  #values(object: T): readonly string[] {
    const values = this.#valuesOf(object);
    if (values === undefined) return [];
    return typeof values === 'string' ? [values] : values;
  }

  #put(value: string, key: string, object: T): void {
    const filed = this.#byValue.get(value);
    if (filed === undefined) this.#byValue.set(value, new Map([[key, object]]));
    else filed.set(key, object);
  }

  #take(value: string, key: string): void {
    const filed = this.#byValue.get(value);
    filed?.delete(key);
    // An empty shelf goes too: values that come and go must not grow the index for ever.
    if (filed?.size === 0) this.#byValue.delete(value);
  }
}

import { childPath, itemPath } from '../json-path.ts';
import { sortedEntries } from './go-sort.ts';

/** A value and the place in the spec that gave it. */
export interface Located<T> {
  readonly path: string;
  readonly value: T;
}

/**
 * How Go's standard JSON decoder fills one Go type: combinators that together describe a struct.
 *
 * Not a JSON schema, because the decoder is none: names match in any case, two spellings of one name are both decoded
 * and may merge, `null` keeps a string but empties a list, and what the first spelling left shines through the second.
 *
 * @see https://pkg.go.dev/encoding/json#Unmarshal
 */
export interface GoType<T> {
  /** What the field holds before anything is decoded; `path` is where the spec would name it. */
  zero(path: string): T;
  /** What `before` becomes when `value`, found at `path`, is decoded into it. Throws {@link TypeMismatch}. */
  read(value: unknown, path: string, before: Located<T>): Located<T>;
  /** Of a struct: its fields by their documented names. */
  readonly fields?: ReadonlyMap<string, GoType<unknown>>;
  /** Of a list: what its items are. */
  readonly items?: GoType<unknown>;
}

/** A JSON value of a type that the Go field cannot hold; Go refuses the whole object then. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
  readonly path: string;
  readonly wanted: string;
  readonly found: unknown;

  constructor(path: string, wanted: string, found: unknown) {
    super(`${path} wants ${wanted}`);
    this.path = path;
    this.wanted = wanted;
    this.found = found;
  }
}

/** Decodes `value`, found at `path`, into a fresh `type`. Throws {@link TypeMismatch} for the first wrong value. */
export function unmarshal<T>(type: GoType<T>, value: unknown, path: string): T {
  return type.read(value ?? null, path, { path, value: type.zero(path) }).value;
}

export const goString: GoType<string> = {
  zero: () => '',
  read: (value, path, before) => {
    if (value === null) return before;
    if (typeof value !== 'string') throw new TypeMismatch(path, 'a string', value);
    // Go replaces what is no Unicode by U+FFFD.
    return { path, value: value.toWellFormed() };
  },
};

export const goBool: GoType<boolean> = {
  zero: () => false,
  read: (value, path, before) => {
    if (value === null) return before;
    if (typeof value !== 'boolean') throw new TypeMismatch(path, 'true or false', value);
    return { path, value };
  },
};

/** A whole number of 64 bits with sign. Near 2^63 a double cannot say on which side of the edge a number stood. */
export const goInt64: GoType<number> = {
  zero: () => 0,
  read: (value, path, before) => {
    if (value === null) return before;
    if (!isInt64(value)) throw new TypeMismatch(path, 'a whole number of at most 64 bits', value);
    return { path, value };
  },
};

export function isInt64(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** A slice. Decoding into one that has items already decodes into those items, as Go does. */
export function goList<T>(of: GoType<T>): GoType<readonly Located<T>[]> {
  return {
    zero: () => [],
    read: (value, path, before) => {
      if (value === null) return { path, value: [] };
      if (!Array.isArray(value)) throw new TypeMismatch(path, 'a list', value);
      const items = value.map((item: unknown, index) => {
        const place = itemPath(path, index);
        return of.read(item, place, { path: place, value: before.value[index]?.value ?? of.zero(place) });
      });
      return { path, value: items };
    },
    items: of,
  };
}

/** A `map[string]any`: names are exact, a second spelling of the field adds its entries. `undefined` is Go's nil. */
export const goMap: GoType<ReadonlyMap<string, Located<unknown>> | undefined> = {
  zero: () => undefined,
  read: (value, path, before) => {
    if (value === null) return { path, value: undefined };
    if (!isObject(value)) throw new TypeMismatch(path, 'an object', value);
    const entries = new Map(before.value);
    for (const [key, entry] of sortedEntries(value)) {
      entries.set(key.toWellFormed(), { path: childPath(path, key), value: entry });
    }
    return { path, value: entries };
  },
};

/** A pointer: `null` makes it nil (`undefined`). */
export function goPointer<T>(of: GoType<T>): GoType<T | undefined> {
  const { fields, items } = of;
  return {
    ...(fields === undefined ? {} : { fields }),
    ...(items === undefined ? {} : { items }),
    zero: () => undefined,
    read: (value, path, before) =>
      value === null
        ? { path, value: undefined }
        : of.read(value, path, { path: before.path, value: before.value ?? of.zero(path) }),
  };
}

/** A JSON object, not a list and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

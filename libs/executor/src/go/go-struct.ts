import { childPath } from '../json-path.ts';
import { foldsTo } from './go-fold.ts';
import { sortedEntries } from './go-sort.ts';
import { type GoType, isObject, type Located, TypeMismatch } from './go-type.ts';

type Fields = Readonly<Record<string, GoType<unknown>>>;

/** The fields of a decoded struct, each with the place that gave it, or the place where it is missing. */
export type GoStruct<F extends Fields> = {
  readonly [K in keyof F]: Located<F[K] extends GoType<infer T> ? T : never>;
};

/** A struct. Names match in any case, exact ones first; unknown names are ignored. */
export function goStruct<F extends Fields>(fields: F): GoType<GoStruct<F>> {
  const types = new Map<string, GoType<unknown>>(Object.entries(fields));
  const names = [...types.keys()];
  const nameOf = (key: string) => (types.has(key) ? key : names.find((name) => foldsTo(key, name)));
  const zero = (path: string) =>
    Object.fromEntries(
      [...types].map(([name, type]) => {
        const place = childPath(path, name);
        return [name, { path: place, value: type.zero(place) }];
      }),
    ) as GoStruct<F>;
  return {
    zero,
    fields: types,
    read: (value, path, before) => {
      if (value === null) return before;
      if (!isObject(value)) throw new TypeMismatch(path, 'an object', value);
      const filled: Record<string, Located<unknown>> = { ...before.value };
      for (const [key, entry] of sortedEntries(value)) {
        const name = nameOf(key);
        const slot = name === undefined ? undefined : filled[name];
        const type = name === undefined ? undefined : types.get(name);
        if (name === undefined || slot === undefined || type === undefined) continue;
        filled[name] = type.read(entry, childPath(path, key), slot);
      }
      return { path, value: filled as GoStruct<F> };
    },
  };
}

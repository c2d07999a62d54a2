import { foldsTo } from '../go/go-fold.ts';
import { isObject, type Located } from '../go/go-type.ts';
import { childPath } from '../json-path.ts';
import type { BuildNotes } from './build-notes.ts';

/** Warns of names in `object` that are no field of `known`, or one in another spelling, or one given twice. */
export function checkFieldNames(object: Located<unknown>, known: object, notes: BuildNotes): void {
  if (!isObject(object.value)) return;
  const seen = new Set<string>();
  for (const key of Object.keys(object.value)) {
    const path = childPath(object.path, key);
    const name = Object.keys(known).find((field) => foldsTo(key, field));
    if (name === undefined) notes.warn('FieldIgnored', path);
    else if (seen.has(name)) notes.warn('FieldTwice', path);
    else if (name !== key) notes.warn('FieldNameCase', path, `documented as ${name}`);
    if (name !== undefined) seen.add(name);
  }
}

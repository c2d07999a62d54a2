import { foldsTo } from '../go/go-fold.ts';
import { type GoType, isObject, type Located } from '../go/go-type.ts';
import { childPath, itemPath } from '../json-path.ts';
import type { BuildNotes } from './build-notes.ts';

/** Warns of names, at any depth of `type`, that are no field, or one in another spelling, or one given twice. */
export function checkFieldNames(place: Located<unknown>, type: GoType<unknown>, notes: BuildNotes): void {
  const { path, value } = place;
  if (Array.isArray(value) && type.items !== undefined) {
    for (const [index, item] of value.entries()) {
      checkFieldNames({ path: itemPath(path, index), value: item }, type.items, notes);
    }
  }
  if (isObject(value) && type.fields !== undefined) checkObject({ path, value }, type.fields, notes);
}

function checkObject(
  { path, value }: Located<Readonly<Record<string, unknown>>>,
  fields: ReadonlyMap<string, GoType<unknown>>,
  notes: BuildNotes,
): void {
  const seen = new Set<string>();
  for (const [key, item] of Object.entries(value)) {
    const place = { path: childPath(path, key), value: item };
    const name = fields.has(key) ? key : [...fields.keys()].find((field) => foldsTo(key, field));
    const type = name === undefined ? undefined : fields.get(name);
    if (name === undefined || type === undefined) {
      notes.warn('FieldIgnored', place.path);
      continue;
    }
    if (seen.has(name)) notes.warn('FieldTwice', place.path);
    else if (name !== key) notes.warn('FieldNameCase', place.path, `documented as ${name}`);
    seen.add(name);
    checkFieldNames(place, type, notes);
  }
}

import { type ExecutorStatus, isOwnCondition } from '@executor-status/api';
import type { NamedStatus } from './name-fields.ts';

/**
 * Whether `stored` already says all that `wanted` says. The order of conditions and conditions of other managers do not count;
 * a field that is absent equals an empty one. Fields of `stored` that `wanted` does not name do not count either.
 */
export function sameStatus(stored: ExecutorStatus | undefined, wanted: NamedStatus): boolean {
  if (stored === undefined) return false;
  return Object.entries(wanted).every(([name, value]) => {
    const there: unknown = Reflect.get(stored, name);
    return name === 'conditions' ? sameValue(ownByType(there), ownByType(value)) : sameOrEmpty(there, value);
  });
}

/** Whether two plain JSON values are equal; the order of keys does not count, that of list members does. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

function sameOrEmpty(stored: unknown, wanted: unknown): boolean {
  return sameValue(stored, wanted) || (stored === undefined && isEmpty(wanted));
}

function isEmpty(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false || value === undefined;
}

function ownByType(conditions: unknown): Record<string, unknown> {
  const list: readonly unknown[] = Array.isArray(conditions) ? conditions : [];
  return Object.fromEntries(
    list.flatMap((condition) => {
      const type = isObject(condition) ? String(Reflect.get(condition, 'type')) : '';
      return isOwnCondition(type) ? [[type, condition]] : [];
    }),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

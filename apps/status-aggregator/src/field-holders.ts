import { type Executor, isOwnCondition, type ManagedFields } from '@executor-status/api';
import { isOwnField } from './name-fields.ts';

/** Who else holds fields of an executor's status, read from its managedFields. */
export interface FieldHolders {
  /** The condition types that a manager other than ours holds at least a part of. */
  readonly conditions: ReadonlySet<string>;
  /** The manager other than ours that wrote last of those that hold fields of ours. */
  readonly latest: string | undefined;
}

/** @param own - our field manager, whose own entries do not count. */
export function fieldHolders(executor: Executor, own: string): FieldHolders {
  const others = (executor.metadata.managedFields ?? []).filter(
    (entry) => entry.manager !== own && statusFields(entry) !== undefined,
  );
  const rivals = others.filter((entry) => holdsOurs(statusFields(entry)));
  const latest = rivals.toSorted((a, b) => Date.parse(a.time ?? '') - Date.parse(b.time ?? '')).at(-1);
  return {
    conditions: new Set(others.flatMap((entry) => conditionTypes(statusFields(entry)))),
    latest: latest?.manager,
  };
}

/**
 * Whether fields stand in the status under our name that we never write: an aggregator of another version left them there. The
 * next apply takes them away.
 */
export function holdsUnknown({ metadata }: Executor, own: string): boolean {
  return (metadata.managedFields ?? []).some((entry) => {
    if (entry.manager !== own || entry.operation !== 'Apply') return false;
    const status = statusFields(entry);
    return (
      fieldNames(status).some((name) => name !== '' && !isOwnField(name)) ||
      conditionTypes(status).some((type) => !isOwnCondition(type))
    );
  });
}

function statusFields(entry: ManagedFields): unknown {
  return child(entry.fieldsV1, 'f:status');
}

/** A field stands there as `f:error`. Of the conditions, only some are ours. */
function holdsOurs(status: unknown): boolean {
  return (
    fieldNames(status).some((name) => name !== 'conditions' && isOwnField(name)) ||
    conditionTypes(status).some(isOwnCondition)
  );
}

/** Empty where it says that a manager holds the status itself. */
function fieldNames(status: unknown): string[] {
  const fields = typeof status === 'object' && status !== null ? Object.keys(status) : [];
  return fields.map((field) => (field.startsWith('f:') ? field.slice('f:'.length) : ''));
}

/** A map entry stands there as `k:{"type":"Ready"}`. */
function conditionTypes(status: unknown): string[] {
  const held = child(status, 'f:conditions');
  if (typeof held !== 'object' || held === null) return [];
  return Object.keys(held).flatMap((key) => {
    const type = /^k:\{"type":"([^"]+)"\}$/.exec(key)?.[1];
    return type === undefined ? [] : [type];
  });
}

function child(fields: unknown, name: string): unknown {
  return typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
}

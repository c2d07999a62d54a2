import type { ExecutorStatus } from '@executor-status/api';

/** A status as it is sent: every field of ours by name, apart from those that the CRD does not have. */
export type NamedStatus = Readonly<Record<string, unknown>>;

/** Where a field stands below `status`; `*` for any member of a list. */
export type FieldPath = readonly string[];

/**
 * `status` with every field of ours, empty ones explicitly: a field that is left out of an apply stays as it is when another
 * manager holds it too.
 *
 * @param dropped - fields that the installed CRD does not declare, and for which it would refuse the whole apply.
 */
export function nameFields(status: ExecutorStatus, dropped: readonly FieldPath[]): NamedStatus {
  const named: NamedStatus = { ...EMPTY, ...ownFields(status) };
  return dropped.reduce<NamedStatus>((left, path) => without(left, path), named);
}

/** Whether `name` is a field of a status that is ours to write. */
export const isOwnField = (name: string): boolean => Object.hasOwn(EMPTY, name);

/** A status that was read may have fields of others. */
function ownFields(status: ExecutorStatus): NamedStatus {
  return Object.fromEntries(Object.entries(status).filter(([name]) => isOwnField(name)));
}

const EMPTY: { readonly [F in keyof Required<ExecutorStatus>]: unknown } = {
  succeeded: false,
  error: '',
  briefError: '',
  observedGeneration: 0,
  conditions: [],
  podCounts: {},
  builds: '',
  errorGroups: [],
  warningGroups: [],
  byPod: [],
  truncated: false,
  omitted: 0,
};

function without(
  object: Readonly<Record<string, unknown>>,
  [first, ...rest]: FieldPath,
): Record<string, unknown> {
  const entries = Object.entries(object).flatMap(([name, value]) => {
    if (name !== first) return [[name, value] as const];
    return rest.length === 0 ? [] : [[name, withoutBelow(value, rest)] as const];
  });
  return Object.fromEntries(entries);
}

function withoutBelow(value: unknown, path: FieldPath): unknown {
  if (Array.isArray(value)) {
    const [, ...below] = path;
    return value.map((member: unknown) => withoutBelow(member, below));
  }
  return typeof value === 'object' && value !== null ? without({ ...value }, path) : value;
}

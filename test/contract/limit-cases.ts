import { type Schema, schemaPaths } from './crd-schema.ts';

/** A value that is right but for one field, which is outside one of its limits. */
export interface LimitCase {
  /** The field and its limit, as `.status.error maxLength 4096`. */
  readonly name: string;
  /** How the API server names the field: `status.material[0].path`. */
  readonly field: string;
  /** What the API server says of it. */
  readonly says: string;
  readonly value: unknown;
}

/**
 * One case for each limit below `schema`: what has it is taken from `full`, in which every field stands.
 *
 * @param at - where `full` stands in its object: `.status`.
 */
export function limitCases(schema: Schema, full: unknown, at: string): readonly LimitCase[] {
  return [...schemaPaths(schema)].flatMap(([path, child]) =>
    overLimits(child, valueAt(full, path)).map(({ limit, says, wrong }) => ({
      name: `${at}${path} ${limit}`,
      // The API server names what is no int32 in the message only.
      field: limit === 'int32' ? at.slice(1) : fieldOf(`${at}${path}`),
      says: limit === 'int32' ? `int32 in ${fieldOf(path)}` : says,
      value: withValue(full, path, wrong),
    })),
  );
}

/** One case for each field that `schema` requires: the value without it. */
export function requiredCases(schema: Schema, full: unknown, at: string): readonly LimitCase[] {
  return [['', schema] as const, ...schemaPaths(schema)].flatMap(([path, { required = [] }]) =>
    required.map((name) => ({
      name: `${at}${path}.${name} required`,
      field: fieldOf(`${at}${path}.${name}`),
      says: 'Required value',
      value: withValue(full, `${path}.${name}`, undefined),
    })),
  );
}

/** `full` with every text, list and number as large as `schema` allows. */
export function atLimits(schema: Schema, full: unknown): unknown {
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(full as Record<string, unknown>);
      return Object.fromEntries(
        entries.map(([name, child]) => [name, atLimits(schema.properties?.[name] ?? {}, child)]),
      );
    }
    case 'array': {
      const item = atLimits(schema.items ?? {}, (full as readonly unknown[])[0]);
      return Array.from({ length: schema.maxItems ?? 1 }, () => item);
    }
    case 'integer':
      return schema.maximum ?? MAX_INT32;
    case 'string':
      return isFree(schema) ? 'a'.repeat(schema.maxLength ?? 1) : full;
    default:
      return full;
  }
}

const MAX_INT32 = 2 ** 31 - 1;

interface OverLimit {
  readonly limit: string;
  readonly says: string;
  readonly wrong: unknown;
}

function overLimits(schema: Schema, right: unknown): readonly OverLimit[] {
  return [...textLimits(schema), ...listLimits(schema, right), ...numberLimits(schema)];
}

function textLimits(schema: Schema): readonly OverLimit[] {
  const { maxLength, minLength, pattern } = schema;
  const cases: (OverLimit | false)[] = [
    maxLength !== undefined && {
      limit: `maxLength ${maxLength}`,
      says: 'Too long',
      wrong:
        (isTime(schema) ? '2026-08-06T09:49:44.' : '').padEnd(maxLength, isTime(schema) ? '0' : 'a') + 'Z',
    },
    minLength !== undefined && {
      limit: `minLength ${minLength}`,
      says: 'at least',
      wrong: 'a'.repeat(minLength - 1),
    },
    schema.enum !== undefined && {
      limit: `enum ${schema.enum.join()}`,
      says: 'Unsupported value',
      wrong: 'Other',
    },
    pattern !== undefined && { limit: `pattern ${pattern}`, says: 'should match', wrong: '\n' },
    isTime(schema) && { limit: 'date-time', says: 'date-time', wrong: '2026-08-06 at 09:49' },
  ];
  return cases.filter((found) => found !== false);
}

function listLimits({ maxItems }: Schema, right: unknown): readonly OverLimit[] {
  if (maxItems === undefined) return [];
  return [{ limit: `maxItems ${maxItems}`, says: 'Too many', wrong: copies(right, maxItems + 1) }];
}

function numberLimits({ minimum, maximum, format }: Schema): readonly OverLimit[] {
  const cases: (OverLimit | false)[] = [
    minimum !== undefined && {
      limit: `minimum ${minimum}`,
      says: 'greater than or equal to',
      wrong: minimum - 1,
    },
    maximum !== undefined && {
      limit: `maximum ${maximum}`,
      says: 'less than or equal to',
      wrong: maximum + 1,
    },
    format === 'int32' && { limit: 'int32', says: 'int32', wrong: MAX_INT32 + 1 },
  ];
  return cases.filter((found) => found !== false);
}

const isTime = ({ format }: Schema) => format === 'date-time';

/** Whether letters alone are right for a text. */
const isFree = (schema: Schema) =>
  schema.enum === undefined && !isTime(schema) && new RegExp(schema.pattern ?? '').test('a');

/** Items that differ in their type, for a list that is a map by type. */
function copies(list: unknown, length: number): unknown {
  const [item] = list as readonly unknown[];
  if (typeof item !== 'object') return Array.from({ length }, () => item);
  return Array.from({ length }, (_, at) => ({
    ...item,
    ...('type' in (item ?? {}) ? { type: `T${at}` } : {}),
  }));
}

function valueAt(value: unknown, path: string): unknown {
  return segments(path).reduce<unknown>((at, name) => Reflect.get(Object(at), name), value);
}

/** A copy of `value` with another value at `path`; without it when that is undefined. */
function withValue(value: unknown, path: string, wrong: unknown): unknown {
  const copy = structuredClone(value);
  const names = segments(path);
  const last = names.pop() ?? '';
  const parent = Object(names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), copy)) as object;
  if (wrong === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, wrong);
  return copy;
}

/** A path as the API server writes it, in the first item of each list. */
const fieldOf = (path: string) => path.slice(1).replaceAll('[]', '[0]');

const segments = (path: string) => path.replaceAll('[]', '.0').split('.').slice(1);

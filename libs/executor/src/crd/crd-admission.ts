import { Ajv, type ValidateFunction } from 'ajv';
import { isInt64, isObject } from '../go/go-type.ts';
import { EXECUTOR_SPEC_SCHEMA } from './executor-schema.ts';

/** What the API server would do with the spec of an executor. */
export interface Admission {
  /** The CRD's schema takes it. */
  readonly valid: boolean;
  /** The spec as it would be stored: unknown fields and nulls in optional fields dropped. Only when valid. */
  readonly stored?: unknown;
}

/**
 * What the API server, with Ratify's CRD, would do with this spec: it prunes, drops nulls and validates, in this order.
 * The spec itself is not required: `undefined` and `null` are an object without one.
 */
export function admit(spec: unknown): Admission {
  if (spec === undefined || spec === null) return { valid: true };
  const stored = prune(spec, EXECUTOR_SPEC_SCHEMA);
  return validator()(stored) ? { valid: true, stored } : { valid: false };
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** A copy with only the declared fields, without null ones; below free-form parameters everything stays. */
function prune(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item: unknown) => prune(item, items));
  }
  const { properties } = schema;
  if (!isObject(value) || properties === undefined) return value;
  const kept = Object.entries(properties).flatMap(([name, property]) => {
    const field = Object.hasOwn(value, name) ? value[name] : null;
    return field === null ? [] : [[name, prune(field, property)]];
  });
  return Object.fromEntries(kept);
}

let compiled: ValidateFunction | undefined;

function validator(): ValidateFunction {
  compiled ??= newValidator();
  return compiled;
}

function newValidator(): ValidateFunction {
  const ajv = new Ajv({ strict: true, allowUnionTypes: false });
  ajv.addKeyword('x-kubernetes-preserve-unknown-fields');
  // A JSON number beyond 64 bits is no integer for the API server.
  ajv.addKeyword({ keyword: 'int64', validate: (_: unknown, value: unknown) => isInt64(value) });
  return ajv.compile(withInt64(EXECUTOR_SPEC_SCHEMA));
}

function withInt64(schema: typeof EXECUTOR_SPEC_SCHEMA) {
  return {
    ...schema,
    properties: { ...schema.properties, concurrency: { ...schema.properties.concurrency, int64: true } },
  };
}

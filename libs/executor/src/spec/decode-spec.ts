import { Fault } from '../faults/fault.ts';
import { kindOf } from '../faults/found.ts';
import { isInt64, isObject, type Located } from '../go/go-type.ts';
import { childPath, itemPath } from '../json-path.ts';

/** A verifier as Ratify converts it. */
export interface VerifierSpec {
  readonly path: string;
  readonly name: Located<string>;
  readonly type: Located<string>;
  readonly parameters: Located<unknown>;
}

/** A store or a policy enforcer as Ratify converts it. */
export interface TypedSpec {
  readonly path: string;
  readonly type: Located<string>;
  readonly parameters: Located<unknown>;
}

/** The spec of an executor, decoded and converted: the form in which Ratify stores it. */
export interface StoredSpec {
  readonly scopes: Located<readonly Located<string>[]>;
  readonly verifiers: Located<readonly VerifierSpec[]>;
  readonly stores: Located<readonly TypedSpec[]>;
  readonly policyEnforcer: TypedSpec | undefined;
}

/**
 * Decodes a spec as the Kubernetes decoder does (names are case-sensitive, unknown ones ignored) and converts it: both
 * lists must be there, and a null item in one makes Ratify panic. A fault here keeps the spec out of Ratify's memory,
 * so that it does not block its set.
 *
 * Types are looked at in the order of the names, as stored.
 */
export function decodeSpec(spec: unknown): StoredSpec {
  const root = { path: 'spec', value: spec };
  const fields = objectOf(root);
  const concurrency = fields('concurrency');
  if (concurrency.value !== undefined && !isInt64(concurrency.value)) throw wrongType(concurrency);
  const policyEnforcer = fields('policyEnforcer');
  const policy = policyEnforcer.value === undefined ? undefined : readTyped(policyEnforcer);
  const scopes = fields('scopes');
  const scopeItems = listOf(scopes)?.map(readText) ?? [];
  const stores = fields('stores');
  const storeItems = listOf(stores)?.map((item) => orNull(item, readTyped));
  const verifiers = fields('verifiers');
  const verifierItems = listOf(verifiers)?.map((item) => orNull(item, readVerifier));
  return {
    scopes: { path: scopes.path, value: scopeItems },
    verifiers: { path: verifiers.path, value: convert(verifiers.path, 'VerifiersMissing', verifierItems) },
    stores: { path: stores.path, value: convert(stores.path, 'StoresMissing', storeItems) },
    policyEnforcer: policy,
  };
}

function convert<T>(
  path: string,
  code: 'VerifiersMissing' | 'StoresMissing',
  items: readonly (T | null)[] | undefined,
): readonly T[] {
  if (items === undefined) throw new Fault(code, { path, found: 'no list' });
  return items.map((item, index) => {
    if (item === null) throw new Fault('NullListItem', { path: itemPath(path, index), found: 'null' });
    return item;
  });
}

function readVerifier(place: Located<unknown>): VerifierSpec {
  const name = objectOf(place)('name');
  return { name: readText(name), ...readTyped(place) };
}

function readTyped(place: Located<unknown>): TypedSpec {
  const fields = objectOf(place);
  return { path: place.path, type: readText(fields('type')), parameters: fields('parameters') };
}

function readText({ path, value }: Located<unknown>): Located<string> {
  if (value === undefined || value === null) return { path, value: '' };
  if (typeof value !== 'string') throw wrongType({ path, value });
  return { path, value: value.toWellFormed() };
}

function orNull<T>(place: Located<unknown>, read: (place: Located<unknown>) => T): T | null {
  return place.value === null ? null : read(place);
}

/** Items with their places; `undefined` for a list that is absent or null. */
function listOf({ path, value }: Located<unknown>): readonly Located<unknown>[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw wrongType({ path, value });
  return value.map((item: unknown, index) => ({ path: itemPath(path, index), value: item }));
}

/** Reads fields by their exact names; null counts as absent. */
function objectOf({ path, value }: Located<unknown>): (name: string) => Located<unknown> {
  if (value !== undefined && value !== null && !isObject(value)) throw wrongType({ path, value });
  const object = new Map(Object.entries(value ?? {}));
  // No place tells null from absent from here on.
  return (name) => ({ path: childPath(path, name), value: object.get(name) ?? undefined });
}

function wrongType({ path, value }: Located<unknown>): Fault {
  return new Fault('SpecFieldType', { path, found: kindOf(value) });
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The part of an OpenAPI schema that the tests look at. */
export interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** A printer column. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  /** Shown with `-o wide` only when it is 1. */
  readonly priority?: number;
}

/** The part of a CustomResourceDefinition that the tests look at. */
export interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly [CrdVersion];
  };
}

export interface CrdVersion {
  readonly name: string;
  readonly additionalPrinterColumns: readonly Column[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly schema: { readonly openAPIV3Schema: Schema };
}

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '../..');

/** A CRD as the project ships it; `file` is relative to `crds/`. */
export async function readCrd(file: string): Promise<Crd> {
  return parse(await readFile(join(ROOT, 'crds', file), 'utf8')) as Crd;
}

/**
 * The schema at `path`, written as `.status.byPod[].id`.
 *
 * @throws {Error} when there is none.
 */
export function schemaAt(schema: Schema, path: string): Schema {
  const found = schemaPaths(schema).get(path);
  if (found === undefined) throw new Error(`the schema has no ${path}`);
  return found;
}

/** Every schema below `schema` by its path. */
export function schemaPaths(schema: Schema, path = ''): Map<string, Schema> {
  const paths = new Map<string, Schema>();
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    paths.set(`${path}.${name}`, child);
    for (const [below, found] of schemaPaths(child, `${path}.${name}`)) paths.set(below, found);
  }
  if (schema.items !== undefined) {
    paths.set(`${path}[]`, schema.items);
    for (const [below, found] of schemaPaths(schema.items, `${path}[]`)) paths.set(below, found);
  }
  return paths;
}

/** Every path that occurs in `value`, in the form of `schemaPaths`. */
export function valuePaths(value: unknown, path = ''): Set<string> {
  const paths = new Set<string>();
  const children: [string, unknown][] = Array.isArray(value)
    ? value.map((child) => [`${path}[]`, child])
    : typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, child]) => [`${path}.${name}`, child])
      : [];
  for (const [childPath, child] of children) {
    paths.add(childPath);
    for (const below of valuePaths(child, childPath)) paths.add(below);
  }
  return paths;
}

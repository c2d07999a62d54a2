import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { waitUntil } from '../wait-until.ts';
import { APPLY_PATCH, type ApiClient, type ApiObject } from './api-client.ts';

/** An object to apply: at least its kind and name. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Who applies, as `managedFields` shows it. */
const FIELD_MANAGER = 'test-admin';

/**
 * Applies objects in order, server-side and with force; objects without a namespace go to `default`. Goes
 * on after a CustomResourceDefinition only when its kind can be used.
 *
 * @param source - objects, or the path of a YAML file with any number of documents.
 * @returns the objects as stored.
 */
export async function applyManifests(
  client: ApiClient,
  source: string | readonly Manifest[],
): Promise<ApiObject[]> {
  const manifests = typeof source === 'string' ? await readManifests(source) : source;
  const stored: ApiObject[] = [];
  for (const manifest of manifests) {
    const path = await objectPath(client, manifest);
    const query = { fieldManager: FIELD_MANAGER, force: true };
    stored.push(await client.call(`PATCH ${path}`, manifest, { query, contentType: APPLY_PATCH }));
    if (manifest.kind === 'CustomResourceDefinition') await untilServed(client, manifest as CustomResource);
  }
  return stored;
}

/**
 * Reads the documents of a YAML file.
 *
 * @throws {Error} that names the file and the place if it is no YAML.
 */
export async function readManifests(file: string): Promise<Manifest[]> {
  const documents = parseAllDocuments(await readFile(file, 'utf8'));
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${file}: ${error.message}`, { cause: error });
    const value = document.toJS() as Manifest | null;
    return value === null ? [] : [value];
  });
}

/**
 * The path of an object in the API, found by the API server's own list of kinds.
 *
 * @throws {Error} if the API server has no such kind.
 */
export async function objectPath(client: ApiClient, manifest: Manifest): Promise<string> {
  const { apiVersion, kind, metadata } = manifest;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { body } = await client.request<Discovery>(`GET ${root}`);
  const resource = body.resources?.find((entry) => entry.kind === kind && !entry.name.includes('/'));
  if (resource === undefined) throw new Error(`the API server has no kind ${kind} in ${apiVersion}`);
  const scope = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
  return `${root}${scope}/${resource.name}/${encodeURIComponent(metadata.name)}`;
}

interface Discovery {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

interface CustomResource extends Manifest {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

async function untilServed(client: ApiClient, { spec, metadata }: CustomResource): Promise<void> {
  for (const version of spec.versions.filter(({ served }) => served)) {
    const root = `/apis/${spec.group}/${version.name}`;
    await waitUntil(
      async () => {
        const listed = await client.request(`GET ${root}/${spec.names.plural}?limit=1`);
        const known = await client.request<Discovery>(`GET ${root}`);
        return listed.code === 200 && known.body.resources?.some(({ name }) => name === spec.names.plural);
      },
      { what: `${metadata.name} to be served` },
    );
  }
}

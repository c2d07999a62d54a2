import type { KubeObject } from '@executor-status/controller';
import type { KubeClient, ListOptions } from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import { partialMetadata } from './partial-metadata.ts';
import { describeTarget, type Resource, resourcePath } from './resource.ts';

/** One page of a list. */
export interface ListPage<T> {
  /** Whether the list starts here: also a second time, when the server has forgotten the snapshot. Drop what came before. */
  readonly first: boolean;
  readonly items: readonly T[];
  /** The version of the whole list; the same in each page. */
  readonly resourceVersion: string;
}

/**
 * The pages of a list, all of one snapshot. When that expires between two pages (410), the list starts over.
 *
 * @throws {KubeError} when a page fails in another way, or expires again and again.
 */
export async function* listPages<T = KubeObject>(
  client: Pick<KubeClient, 'request'>,
  resource: Resource,
  options: ListOptions,
): AsyncGenerator<ListPage<T>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return yield* pagesOfOneSnapshot<T>(client, resource, options);
    } catch (error) {
      if (!isExpired(error) || tries === MAX_TRIES) throw error;
    }
  }
}

async function* pagesOfOneSnapshot<T>(
  client: Pick<KubeClient, 'request'>,
  resource: Resource,
  options: ListOptions,
): AsyncGenerator<ListPage<T>> {
  let token: string | undefined;
  do {
    const { items, metadata } = await readPage<T>(client, resource, { ...options, token });
    // A server with nothing to list sends null.
    yield { first: token === undefined, items: items ?? [], resourceVersion: metadata.resourceVersion };
    token = metadata.continue || undefined;
  } while (token !== undefined);
}

/** Whether the server no longer has the version that was asked for. */
export function isExpired(error: unknown): boolean {
  return error instanceof KubeError && error.code === 410;
}

// A snapshot lives for at least five minutes (etcd compaction): a list that takes longer each time will not get better.
const MAX_TRIES = 4;

interface RawList<T> {
  readonly items: readonly T[] | null;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

function readPage<T>(
  client: Pick<KubeClient, 'request'>,
  resource: Resource,
  { token, ...options }: ListOptions & { readonly token: string | undefined },
): Promise<RawList<T>> {
  const { namespace, labelSelector, fieldSelector, pageSize = 500, metadataOnly = false, ...call } = options;
  const where = namespace === undefined ? {} : { namespace };
  return client.request<RawList<T>>({
    ...call,
    method: 'GET',
    path: resourcePath(resource, where),
    query: { labelSelector, fieldSelector, limit: pageSize, continue: token },
    ...(metadataOnly && { accept: partialMetadata('list') }),
    verb: 'list',
    target: describeTarget(resource, where),
    resource: resource.plural,
  });
}

import { EXECUTOR_VERSION } from '@executor-status/api';
import { resync } from '@executor-status/controller';
import { type KubeClient, KubeError } from '@executor-status/kube';
import { concatMap, distinctUntilChanged, filter, type Observable } from 'rxjs';

/** What watching the CRDs of the executors needs. */
export interface SchemaParts {
  readonly client: KubeClient;
  readonly executorGroup: string;
  readonly pollMs: number;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Whether a change of a CRD would matter; while it would not, nobody is asked. */
  readonly wanted: () => boolean;
  readonly signal: AbortSignal;
}

/**
 * Speaks when the API server serves another schema of the executors than before, and the first time that it matters. Needs no
 * right on CRDs: the index of the OpenAPI documents carries a hash of each.
 */
export function schemaChanges(parts: SchemaParts): Observable<string> {
  return resync({ periodMs: parts.pollMs, random: parts.random }).pipe(
    filter(() => parts.wanted()),
    concatMap(() => readHash(parts)),
    filter((hash) => hash !== undefined),
    distinctUntilChanged(),
  );
}

async function readHash({ client, executorGroup, signal }: SchemaParts): Promise<string | undefined> {
  try {
    const index = await client.request<Index>({
      method: 'GET',
      path: '/openapi/v3',
      verb: 'get',
      target: 'the OpenAPI index',
      signal,
    });
    return index.paths?.[`apis/${executorGroup}/${EXECUTOR_VERSION}`]?.serverRelativeURL;
  } catch (error) {
    // The next poll asks again; what is stored meanwhile is right, if less than it could be.
    if (error instanceof KubeError) return undefined;
    throw error;
  }
}

/** @see k8s.io/kube-openapi, pkg/handler3: `OpenAPIV3Discovery`. */
interface Index {
  readonly paths?: Readonly<Record<string, { readonly serverRelativeURL?: string }>>;
}

import { EXECUTOR_KINDS, type PodIdentity } from '@executor-status/api';
import { backoffMs } from '@executor-status/controller';
import { executorResource, type KubeClient, KubeError, resourcePath } from '@executor-status/kube';
import { type Log, MisconfigurationError } from '@executor-status/process';
import { type ClaimedIdentity, verifyIdentity } from './identity.ts';
import { OwnReports } from './own-reports.ts';

/** What the first calls need. */
export interface StartUp {
  readonly client: KubeClient;
  readonly claimed: ClaimedIdentity;
  readonly executorGroup: string;
  readonly random: () => number;
  /** Writes equal lines once in five minutes, also over several starts. */
  readonly rareLog: Log;
  readonly signal: AbortSignal;
}

/**
 * Everything that must be right before the first write: who this pod is, whether it may read the executors, and what it has
 * reported before. Only reads. Waits out an API server that does not answer.
 *
 * @throws {MisconfigurationError} naming the variable, the right or the CRD that is missing, and the remedy.
 * @throws {KubeError} only after `signal` has aborted.
 */
export async function startUp(
  parts: StartUp,
): Promise<{ readonly pod: PodIdentity; readonly own: OwnReports }> {
  const { client, claimed, signal } = parts;
  const self = await patiently(parts, () => client.selfSubjectReview({ signal })).catch((error: unknown) => {
    throw misconfigured(error, 'bind the ClusterRole system:basic-user to the group system:authenticated');
  });
  const pod = verifyIdentity(claimed, self);
  for (const kind of EXECUTOR_KINDS) {
    await patiently(parts, () => requireReadable(parts, kind)).catch((error: unknown) => {
      throw misconfigured(error, `bind the ClusterRole executor-writer to ${self.username}`);
    });
  }
  const own = new OwnReports(client, pod);
  await patiently(parts, () => own.list()).catch((error: unknown) => {
    throw misconfigured(error, remedyForReports(error, `${self.username} in namespace ${pod.namespace}`));
  });
  return { pod, own };
}

/** A kind that is not installed is no error: its watch waits for it. */
async function requireReadable(parts: StartUp, kind: (typeof EXECUTOR_KINDS)[number]): Promise<void> {
  const { client, executorGroup, signal } = parts;
  const resource = executorResource(kind, executorGroup);
  try {
    await client.request({
      method: 'GET',
      path: resourcePath(resource),
      query: { limit: 1 },
      verb: 'list',
      target: `${resource.plural}.${resource.group}`,
      resource: resource.plural,
      signal,
    });
  } catch (error) {
    if (!(error instanceof KubeError) || error.missing !== 'kind') throw error;
  }
}

function remedyForReports(error: unknown, who: string): string {
  return error instanceof KubeError && error.missing === 'kind'
    ? 'install the report CRD, crds/executorpodstatuses.yaml'
    : `bind the Role executor-writer to ${who}`;
}

function misconfigured(error: unknown, remedy: string): unknown {
  const hopeless = error instanceof KubeError && (error.code === 403 || error.missing === 'kind');
  return hopeless ? new MisconfigurationError(`${error.message}; ${remedy}`, { cause: error }) : error;
}

const OUTAGE = { baseMs: 1000, maxMs: 10_000, jitter: 0.2 };

/** An API server that has just started knows no rights for a moment, and refuses everything. */
const REFUSALS_TAKEN = 2;

/** `call`, again and again while it fails in a way that passes. */
async function patiently<T>(
  { client, rareLog, random, signal }: StartUp,
  call: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !(error instanceof KubeError) || !passes(error, attempt)) throw error;
      const waitMs = Math.max(error.retryAfterMs ?? 0, backoffMs(attempt, OUTAGE, random));
      rareLog.warn('cannot start yet; trying again', { error });
      await client.clock.sleep(waitMs, signal);
    }
  }
}

function passes(error: KubeError, attempt: number): boolean {
  return error.retryable || (error.code === 403 && attempt <= REFUSALS_TAKEN);
}

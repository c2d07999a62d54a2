import type { Reconciled } from '@executor-status/controller';
import { KubeError } from '@executor-status/kube';
import type { Log } from '@executor-status/process';

/**
 * Logs what went wrong, the same trouble once in five minutes. What the next try settles by itself (a conflict, an executor that
 * went meanwhile, a call that the stop ended) is no trouble.
 */
export function logDone(log: Log): (done: Reconciled) => void {
  const rare = log.onceIn(REPEAT_MS);
  return ({ key, error }) => {
    if (error === undefined) return;
    if (!(error instanceof KubeError)) {
      rare.error('failed unexpectedly; trying again', { executor: key, error });
    } else if (isPassing(error)) {
      log.debug('settled by the next try', { executor: key, error });
    } else {
      const { level, remedy } = troubleOf(error);
      rare[level]('a call failed; trying again', {
        executor: key,
        problem: error.message,
        ...(remedy && { remedy }),
      });
    }
  };
}

const REPEAT_MS = 300_000;

const isPassing = ({ code, missing, reason }: KubeError) =>
  code === 409 || missing !== undefined || reason === 'Aborted';

function troubleOf({ code }: KubeError): { readonly level: 'warn' | 'error'; readonly remedy?: string } {
  switch (code) {
    case 403:
      return {
        level: 'error',
        remedy: 'bind the ClusterRole and the Roles status-aggregator to this ServiceAccount',
      };
    case 400:
    case 413:
    case 422:
      return {
        level: 'error',
        remedy: 'apply the crds/status-patch.yaml of this version to the CRDs of Ratify',
      };
    default:
      return { level: 'warn' };
  }
}

import type { PodIdentity } from '@executor-status/api';
import { MisconfigurationError } from '@executor-status/process';

/** Who this container is told to be; from the downward API. */
export interface ClaimedIdentity {
  readonly podName: string | undefined;
  readonly podUid: string | undefined;
  readonly podNamespace: string | undefined;
  readonly nodeName: string | undefined;
}

/** Who the API server says is calling: `status.userInfo` of a SelfSubjectReview. */
export interface Caller {
  readonly username?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The identity under which this pod reports: the one in the environment, if all of it is there and the API server confirms
 * it from the token, which is bound to the pod. Needs no right on pods.
 *
 * @throws {MisconfigurationError} naming the variable, or the token, that is missing or wrong, and the remedy.
 */
export function verifyIdentity(claimed: ClaimedIdentity, caller: Caller): PodIdentity {
  const { podName, podUid, podNamespace, nodeName } = requireClaim(claimed);
  const name = caller.extra?.[POD_NAME_EXTRA]?.[0];
  const uid = caller.extra?.[POD_UID_EXTRA]?.[0];
  if (name === undefined || uid === undefined) {
    throw new MisconfigurationError(
      `cannot verify POD_NAME and POD_UID: the token of ${caller.username ?? 'this process'} is not bound to a pod; ` +
        'mount the projected ServiceAccount token of the pod, not a token Secret',
    );
  }
  requireSame('POD_NAME', podName, name);
  requireSame('POD_UID', podUid, uid);
  requireSame('POD_NAMESPACE', podNamespace, namespaceOf(caller.username) ?? '');
  return { namespace: podNamespace, name: podName, uid: podUid, ...(nodeName && { nodeName }) };
}

/**
 * The claimed identity, if every part of it is there; can be asked before any call.
 *
 * @throws {MisconfigurationError} naming the first variable that is not set.
 */
export function requireClaim(claimed: ClaimedIdentity) {
  return {
    podName: required('POD_NAME', claimed.podName),
    podUid: required('POD_UID', claimed.podUid),
    podNamespace: required('POD_NAMESPACE', claimed.podNamespace),
    nodeName: claimed.nodeName,
  };
}

// kubernetes/kubernetes, pkg/serviceaccount/util.go: what a token that is bound to a pod says of it.
const POD_NAME_EXTRA = 'authentication.kubernetes.io/pod-name';
const POD_UID_EXTRA = 'authentication.kubernetes.io/pod-uid';

type Variable = 'POD_NAME' | 'POD_UID' | 'POD_NAMESPACE';

const DOWNWARD_FIELDS: Readonly<Record<Variable, string>> = {
  POD_NAME: 'metadata.name',
  POD_UID: 'metadata.uid',
  POD_NAMESPACE: 'metadata.namespace',
};

function required(variable: Variable, value: string | undefined): string {
  if (value) return value;
  throw new MisconfigurationError(`${variable} is not set; ${remedy(variable)}`);
}

function requireSame(variable: Variable, claimed: string, confirmed: string): void {
  if (claimed === confirmed) return;
  throw new MisconfigurationError(
    `${variable} is ${JSON.stringify(claimed)}, but the token belongs to ${JSON.stringify(confirmed)}; ${remedy(variable)}`,
  );
}

function remedy(variable: Variable): string {
  return `set it in the container from the downward API field ${DOWNWARD_FIELDS[variable]}`;
}

/** `ns` of `system:serviceaccount:ns:name`. */
function namespaceOf(username: string | undefined): string | undefined {
  return /^system:serviceaccount:([^:]+):[^:]+$/.exec(username ?? '')?.[1];
}

import { OPT_OUT_LABEL, WRITER_CONTAINER } from '@executor-status/api';

/** A Ratify pod, cut down to what its executors' status can depend on. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion?: string;
  };
  /** It has failed or completed; nothing will ever run in it again. */
  readonly over: boolean;
  /** It should report: scheduled, not being deleted, not over, not opted out. */
  readonly expected: boolean;
  /** It has an `executor-writer`, as a container or an init container. */
  readonly observed: boolean;
  readonly nodeName?: string;
  /** Its node is gone or silent, so nothing that it said can change any more. */
  readonly lost: boolean;
  /** Whether its `executor-writer` runs; unknown where the kubelet has said nothing. */
  readonly writer: 'running' | 'down' | 'unknown';
  /** When Ratify's container last started, RFC 3339; absent while it does not run. */
  readonly ratifyStartedAt?: string;
}

/** The fields of a core/v1 Pod that {@link projectPod} reads. */
export interface KubePod {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly readinessGates?: readonly { readonly conditionType: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

interface Container {
  readonly name: string;
}

interface ContainerStatus {
  readonly name: string;
  readonly state?: {
    readonly running?: { readonly startedAt?: string };
    readonly waiting?: unknown;
    readonly terminated?: unknown;
  };
}

/**
 * Cuts `pod` down to a {@link Pod}.
 *
 * @param ratifyContainer - the name of Ratify's container; empty for the first one that is not the writer.
 */
export function projectPod(pod: KubePod, ratifyContainer: string): Pod {
  const { name, namespace = '', uid = '', resourceVersion } = pod.metadata;
  const startedAt = ratifyStartedAt(pod, ratifyContainer);
  return {
    metadata: { name, namespace, uid, ...(resourceVersion && { resourceVersion }) },
    over: isOver(pod),
    expected: isExpected(pod),
    observed: allContainers(pod).some((container) => container.name === WRITER_CONTAINER),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    lost: isLost(pod),
    writer: writerState(pod),
    ...(startedAt && { ratifyStartedAt: startedAt }),
  };
}

/** Whether `pod` has failed or completed, an evicted one included. */
export function isOver({ status }: KubePod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function isExpected(pod: KubePod): boolean {
  const { metadata, spec } = pod;
  return (
    Boolean(spec?.nodeName) &&
    metadata.deletionTimestamp === undefined &&
    !isOver(pod) &&
    metadata.labels?.[OPT_OUT_LABEL] !== 'true'
  );
}

/**
 * The node controller marks the pods of a lost node Ready=False and leaves ContainersReady True; a pod whose own
 * readiness gate is False looks the same, and is not lost.
 */
function isLost(pod: KubePod): boolean {
  const statusOf = (type: string) =>
    pod.status?.conditions?.find((condition) => condition.type === type)?.status;
  if (statusOf('Ready') === 'Unknown') return true;
  if (statusOf('Ready') !== 'False' || statusOf('ContainersReady') !== 'True') return false;
  return (pod.spec?.readinessGates ?? []).every((gate) => statusOf(gate.conditionType) === 'True');
}

function writerState({ status = {} }: KubePod): Pod['writer'] {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const state = statuses.find(({ name }) => name === WRITER_CONTAINER)?.state ?? {};
  if (state.running !== undefined) return 'running';
  return Object.keys(state).length > 0 ? 'down' : 'unknown';
}

function ratifyStartedAt(pod: KubePod, ratifyContainer: string): string | undefined {
  const name =
    ratifyContainer || pod.spec?.containers?.find((container) => container.name !== WRITER_CONTAINER)?.name;
  return pod.status?.containerStatuses?.find((status) => status.name === name)?.state?.running?.startedAt;
}

const allContainers = ({ spec }: KubePod) => [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];

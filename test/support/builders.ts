import {
  EXECUTOR_GROUP,
  EXECUTOR_VERSION,
  type Executor,
  type ExecutorPodStatus,
  type ExecutorRef,
  newExecutorPodStatus,
  type ObjectMeta,
  OPT_OUT_LABEL,
  type ReportReason,
  type ReportStatus,
  WRITER_CONTAINER,
} from '@executor-status/api';

/** An executor `default` of uid `executor-uid` at generation 1, without a status. A namespace makes it a NamespacedExecutor. */
export function executor(fields: Partial<ObjectMeta> & Pick<Executor, 'status'> = {}): Executor {
  const { status, ...metadata } = fields;
  return {
    apiVersion: `${EXECUTOR_GROUP}/${EXECUTOR_VERSION}`,
    kind: metadata.namespace === undefined ? 'Executor' : 'NamespacedExecutor',
    metadata: { name: 'default', uid: 'executor-uid', generation: 1, resourceVersion: '1', ...metadata },
    ...(status && { status }),
  };
}

/** What a report says, and of whom; every field has a good default. */
export interface ReportFields extends Partial<Omit<ReportStatus, 'id'>> {
  readonly pod?: string;
  readonly podUID?: string;
  readonly namespace?: string;
  readonly executorRef?: ExecutorRef;
  /** The object's name, where it is not the proper one. */
  readonly name?: string;
  /** Without a status: not reported yet. */
  readonly silent?: boolean;
}

/** The report of pod `pod-a` about the executor `default`: generation 1 was built. An `error` alone makes it a failure. */
export function report(fields: ReportFields = {}): ExecutorPodStatus {
  const {
    pod: podName = 'pod-a',
    podUID = uidOf(podName),
    namespace = 'ratify',
    name,
    silent = false,
    ...said
  } = fields;
  const { executorRef = { kind: 'Executor', name: 'default' }, ...verdict } = said;
  const fresh = newExecutorPodStatus(
    { namespace, name: podName, uid: podUID, nodeName: 'node-1' },
    executorRef,
  );
  const metadata = {
    ...fresh.metadata,
    ...(name && { name }),
    uid: `report-of-${podUID}`,
    resourceVersion: '1',
  };
  return { ...fresh, metadata, ...(!silent && { status: reportStatus(podName, verdict) }) };
}

function reportStatus(id: string, verdict: Partial<ReportStatus>): ReportStatus {
  const succeeded = verdict.succeeded ?? verdict.error === undefined;
  const reason: ReportReason = succeeded ? 'Built' : 'BuildFailed';
  return {
    id,
    executorUID: 'executor-uid',
    executorGeneration: 1,
    succeeded,
    reason,
    lastTransitionTime: '2026-08-06T09:00:00Z',
    ...(verdict.error !== undefined && { briefError: verdict.error }),
    ...verdict,
  };
}

/** What the API server says of a pod; every field has a good default. */
export interface PodFields {
  readonly name?: string;
  readonly uid?: string;
  readonly namespace?: string;
  readonly nodeName?: string | undefined;
  readonly phase?: string;
  readonly deletionTimestamp?: string;
  readonly optedOut?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether the pod has the sidecar, and what the kubelet says of it. */
  readonly writer?: 'running' | 'waiting' | 'terminated' | 'silent' | 'absent';
  /** Conditions by type. */
  readonly conditions?: Readonly<Record<string, string>>;
  readonly readinessGates?: readonly string[];
  /** When Ratify's container started; without it, it does not run. */
  readonly ratifyStartedAt?: string;
}

/** A core/v1 Pod `pod-a` as the API server gives it: running and ready on `node-1`, with its sidecar. */
export function pod(fields: PodFields = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: podMetadata(fields),
    spec: podSpec(fields),
    status: podStatus(fields),
  };
}

function podMetadata(fields: PodFields) {
  const {
    name = 'pod-a',
    uid = uidOf(name),
    namespace = 'ratify',
    deletionTimestamp,
    optedOut = false,
  } = fields;
  const { labels = { 'app.kubernetes.io/name': 'ratify' } } = fields;
  return {
    name,
    namespace,
    uid,
    resourceVersion: '1',
    labels: { ...labels, ...(optedOut && { [OPT_OUT_LABEL]: 'true' }) },
    ...(deletionTimestamp && { deletionTimestamp }),
  };
}

function podSpec(fields: PodFields) {
  const { writer = 'running', readinessGates = [] } = fields;
  const nodeName = 'nodeName' in fields ? fields.nodeName : 'node-1';
  const sidecar = { name: WRITER_CONTAINER, image: 'writer', restartPolicy: 'Always' };
  return {
    ...(nodeName && { nodeName }),
    ...(writer !== 'absent' && { initContainers: [sidecar] }),
    containers: [{ name: 'ratify', image: 'ratify' }],
    readinessGates: readinessGates.map((conditionType) => ({ conditionType })),
  };
}

function podStatus({
  phase = 'Running',
  writer = 'running',
  ratifyStartedAt,
  conditions = READY,
}: PodFields) {
  return {
    phase,
    conditions: Object.entries(conditions).map(([type, status]) => ({ type, status })),
    initContainerStatuses: writerStatuses(writer),
    containerStatuses: ratifyStatuses(ratifyStartedAt),
  };
}

const READY = { Ready: 'True', ContainersReady: 'True' };

function writerStatuses(writer: NonNullable<PodFields['writer']>) {
  if (writer === 'absent' || writer === 'silent') return [];
  const state = { running: { startedAt: '2026-08-06T08:00:00Z' } };
  return [
    { name: WRITER_CONTAINER, state: writer === 'running' ? state : { [writer]: { reason: 'Error' } } },
  ];
}

const ratifyStatuses = (startedAt: string | undefined) => [
  { name: 'ratify', state: startedAt === undefined ? { waiting: {} } : { running: { startedAt } } },
];

const uidOf = (podName: string) => `uid-of-${podName}`;

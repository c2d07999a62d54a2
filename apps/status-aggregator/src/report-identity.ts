import {
  DashPackError,
  dashUnpack,
  type ExecutorPodStatus,
  type ExecutorRef,
  type ReportSpec,
  reportName,
} from '@executor-status/api';

/** Who is known to exist. */
export interface Known {
  readonly pod: (name: string) => boolean;
  readonly executor: (ref: ExecutorRef) => boolean;
}

/**
 * Whether the name of `report` says something else than its spec: it unpacks to another (pod, executor), of which one at least
 * is the spec's or exists. Any other name is a random one, and a name is only a key.
 */
export function contradictsItself(report: ExecutorPodStatus, known: Known): boolean {
  if (hasProperName(report)) return false;
  const { metadata, spec } = report;
  const { executorRef, pod } = spec;
  const named = unpacked(metadata.name);
  if (named === undefined) return false;
  const sameExecutor =
    named.executor.name === executorRef.name && named.executor.namespace === executorRef.namespace;
  return named.pod === pod.name || sameExecutor || known.pod(named.pod) || known.executor(named.executor);
}

/** Whether its name is the one that its writer gives it. */
export function hasProperName(report: ExecutorPodStatus): boolean {
  const known = properNames.get(report);
  if (known !== undefined) return known;
  const proper = report.metadata.name === properName(report.spec);
  properNames.set(report, proper);
  return proper;
}

/** Packing a name takes a while, and its answer is always the same for one version of a report. */
const properNames = new WeakMap<ExecutorPodStatus, boolean>();

interface Named {
  readonly pod: string;
  readonly executor: ExecutorRef;
}

/** Undefined where none can be made: of names that no API server would take, let in by another schema. */
const properName = ({ pod, executorRef }: ReportSpec) => ifPackable(() => reportName(pod.name, executorRef));

function unpacked(name: string): Named | undefined {
  const [pod, second, third, ...more] = ifPackable(() => dashUnpack(name)) ?? [];
  if (pod === undefined || second === undefined || more.length > 0) return undefined;
  return third === undefined
    ? { pod, executor: { kind: 'Executor', name: second } }
    : { pod, executor: { kind: 'NamespacedExecutor', namespace: second, name: third } };
}

function ifPackable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DashPackError) return undefined;
    throw error;
  }
}

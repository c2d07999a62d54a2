import type { Executor, ExecutorRef } from '@executor-status/api';

/** One key for executors of both kinds: `name`, or `namespace/name` for a NamespacedExecutor. */
export function executorKey({ kind, namespace, name }: ExecutorRef): string {
  // Not objectKey: a NamespacedExecutor without its namespace must never pass for an Executor.
  return kind === 'Executor' ? name : `${namespace ?? ''}/${name}`;
}

/** The executor whose key this is. */
export function refOfKey(key: string): ExecutorRef {
  const [first = '', second] = key.split('/');
  return second === undefined
    ? { kind: 'Executor', name: first }
    : { kind: 'NamespacedExecutor', namespace: first, name: second };
}

/** Who `executor` is. */
export function refOf({ kind, metadata: { namespace, name } }: Executor): ExecutorRef {
  return kind === 'Executor' || namespace === undefined ? { kind, name } : { kind, namespace, name };
}

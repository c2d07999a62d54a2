import type { ExecutorRef, ObjectMeta } from '@executor-status/api';
import { objectKey } from '@executor-status/controller';

/** One key for executors of both kinds: `name`, or `namespace/name` for a NamespacedExecutor. */
export function executorKey(ref: Pick<ExecutorRef, 'name' | 'namespace'>): string {
  return objectKey(ref);
}

/** Which executor `metadata` belongs to: only a NamespacedExecutor has a namespace. */
export function executorRef({ name, namespace }: Pick<ObjectMeta, 'name' | 'namespace'>): ExecutorRef {
  return namespace === undefined
    ? { kind: 'Executor', name }
    : { kind: 'NamespacedExecutor', namespace, name };
}

/** The executor whose key this is. */
export function refOfKey(key: string): ExecutorRef {
  const [first = '', second] = key.split('/');
  return second === undefined
    ? { kind: 'Executor', name: first }
    : { kind: 'NamespacedExecutor', namespace: first, name: second };
}

/** The key of a set, which Ratify loads as a whole: the namespace of its members, or the empty text for all Executors. */
export function setKey({ namespace = '' }: { readonly namespace?: string }): string {
  return namespace;
}

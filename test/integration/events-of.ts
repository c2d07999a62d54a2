import type { ExecutorRef } from '@executor-status/api';
import type { ApiObject, ControlPlane } from '../support/control-plane.ts';

/** An Event as the API server has it, as far as tests look. */
export interface StoredEvent {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly regarding: { readonly kind: string; readonly name: string };
}

/** The Events about an executor: those of one without a namespace lie in `default`. */
export async function eventsOf(
  { admin }: ControlPlane,
  { kind, name, namespace = 'default' }: ExecutorRef,
): Promise<readonly StoredEvent[]> {
  const { items } = await admin.call<ApiObject & { items: readonly StoredEvent[] }>(
    `GET /apis/events.k8s.io/v1/namespaces/${namespace}/events`,
  );
  return items.filter(({ regarding }) => regarding.kind === kind && regarding.name === name);
}

import { EXECUTOR_GROUP, EXECUTOR_PLURALS, EXECUTOR_VERSION, type Executor } from '@executor-status/api';
import type { ControlPlane } from '../../test/support/control-plane.ts';

/** The executor as the API server has it now. */
export async function live(controlPlane: ControlPlane, executor: Executor): Promise<Executor> {
  return (await controlPlane.admin.call(`GET ${executorPath(executor)}`)) as unknown as Executor;
}

/** Its URL path. */
export function executorPath({ kind, metadata }: Executor): string {
  const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `/apis/${EXECUTOR_GROUP}/${EXECUTOR_VERSION}${scope}/${EXECUTOR_PLURALS[kind]}/${metadata.name}`;
}

/** The executor, once its status speaks of the newest generation for `pods` pods that have all reported it. */
export async function settled(
  controlPlane: ControlPlane,
  executor: Executor,
  pods: number,
): Promise<Executor | undefined> {
  const found = await live(controlPlane, executor);
  const { observedGeneration, podCounts } = found.status ?? {};
  const settledNow =
    observedGeneration === found.metadata.generation &&
    podCounts?.expected === pods &&
    podCounts.upToDate === pods;
  return settledNow ? found : undefined;
}

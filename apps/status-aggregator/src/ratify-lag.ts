import { hasSucceeded, type JudgedPod } from './judge-pods.ts';

/**
 * The ids of pods in which the newest generation failed for a passing reason and built later, while Ratify's container has not
 * started since: Ratify does not retry by itself. Both times come from the pod's own node, so skew between nodes is no matter.
 */
export function laggingPods(pods: readonly JudgedPod[]): string[] {
  return pods
    .filter((pod) => pod.report?.recoveredAt !== undefined && hasSucceeded(pod) && ratifyStartedBefore(pod))
    .map(({ id }) => id);
}

/** False while Ratify does not run: it will build when it starts. */
function ratifyStartedBefore({ pod, report }: JudgedPod): boolean {
  return Date.parse(pod.ratifyStartedAt ?? '') < Date.parse(report?.recoveredAt ?? '');
}

import type { PodCounts } from '@executor-status/api';
import type { JudgedPod, Standing } from './judge-pods.ts';

/** How many pods stand how; the sums of design 5.2 hold by construction. */
export function countPods(pods: readonly JudgedPod[]): PodCounts {
  const count: Record<Standing, number> = { succeeded: 0, failed: 0, behind: 0, missing: 0, unobserved: 0 };
  for (const { standing } of pods) count[standing] += 1;
  const upToDate = count.succeeded + count.failed;
  return {
    expected: pods.length,
    reporting: upToDate + count.behind,
    upToDate,
    ...count,
    stale: pods.filter((pod) => pod.stale !== undefined).length,
  };
}

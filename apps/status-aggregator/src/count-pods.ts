import type { PodCounts } from '@executor-status/api';
import type { JudgedPod, Standing } from './judge-pods.ts';

/** How many pods stand how; the sums of design 5.2 hold by construction. */
export function countPods(pods: readonly JudgedPod[]): PodCounts {
  const count = (standing: Standing) => pods.filter((pod) => pod.standing === standing).length;
  const [succeeded, failed, behind] = [count('succeeded'), count('failed'), count('behind')];
  const upToDate = succeeded + failed;
  return {
    expected: pods.length,
    reporting: upToDate + behind,
    missing: count('missing'),
    unobserved: count('unobserved'),
    upToDate,
    behind,
    succeeded,
    failed,
    stale: pods.filter((pod) => pod.stale !== undefined).length,
  };
}

import { boundBriefError, boundError, boundText, type PodCounts } from '@executor-status/api';
import type { FailingPods } from './group-pods.ts';

/** How many names a sentence carries before it says how many more there are. */
const MAX_NAMES = 3;
/** What one cause may take of an error, so that the others can be read too. */
const MAX_CAUSE_BYTES = 1024;

/** What a fresh executor says before its first verdict. In `failing` detail without figures, which would move with healthy pods. */
export function buildingText(counts: PodCounts, detail: 'full' | 'failing'): string {
  if (counts.expected === 0) return NO_PODS;
  if (counts.unobserved === counts.expected) {
    return 'no Ratify pod has the executor-writer sidecar: restart the pods';
  }
  return detail === 'failing'
    ? 'building: not every pod has reported'
    : `building: ${counts.upToDate}/${counts.expected} pods have reported`;
}

export const NO_PODS = 'no Ratify pod runs';

/** The settled failure: `N/M replicas unhealthy: ` and every cause, the most frequent first. */
export function unhealthyText(unhealthy: {
  readonly failing: readonly FailingPods[];
  /** The ids of pods whose report is overdue. */
  readonly overdue: readonly string[];
  readonly expected: number;
}): { readonly error: string; readonly briefError: string } {
  const { failing, overdue, expected } = unhealthy;
  const failed = failing.reduce((sum, { group }) => sum + group.count, 0);
  const causes = failing.map(
    ({ group, error }) => `${boundText(error, MAX_CAUSE_BYTES)} (${names(group.examplePods, group.count)})`,
  );
  const silent = overdue.length === 0 ? [] : [noReportText(overdue)];
  const text = [...causes, ...silent].join('; ');
  return {
    error: boundError(`${failed + overdue.length}/${expected} replicas unhealthy: ${text}`),
    briefError: boundBriefError(failing[0]?.briefError ?? silent[0] ?? ''),
  };
}

/** `no report from a, b, c and 4 more`. */
export function noReportText(ids: readonly string[]): string {
  return `no report from ${names(ids)}`;
}

/** The first names, and how many more there are: `a, b, c and 4 more`. */
export function names(ids: readonly string[], total = ids.length): string {
  const shown = ids.slice(0, MAX_NAMES);
  const more = total - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** `1 pod`, `5 pods`. */
export function podsText(count: number): string {
  return count === 1 ? '1 pod' : `${count} pods`;
}

import { hasSucceeded, type JudgedPod } from './judge-pods.ts';

/** How many different kinds of pod a message names. */
const MAX_KINDS = 3;

/**
 * Says that pods which built the same generation loaded different certificates or keys for it, and names the first pod of
 * each kind; `undefined` when all loaded the same.
 */
export function divergedText(pods: readonly JudgedPod[]): string | undefined {
  const built = pods.filter((pod) => hasSucceeded(pod) && pod.report?.materialDigest);
  const kinds = [...Map.groupBy(built, (pod) => pod.report?.materialDigest).values()];
  if (kinds.length < 2) return undefined;
  const named = kinds.slice(0, MAX_KINDS).flatMap(([first]) => (first === undefined ? [] : [first.id]));
  return `pods loaded different certificates or keys for the same generation: compare the reports of ${named.join(' and ')}`;
}

/**
 * Whether resource version `a` is older than `b`. False when either is missing or is not a number: then nothing is
 * known, and what came last counts.
 *
 * @see kubernetes/enhancements KEP-5504: resource versions of one resource compare as whole numbers of any length.
 */
export function isOlderVersion(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || !NUMBER.test(a) || !NUMBER.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}

const NUMBER = /^(?:0|[1-9]\d*)$/;

import { from, lastValueFrom, mergeMap, toArray } from 'rxjs';

/**
 * Runs `run` for each element, at most `concurrency` at once, and gives what came of them in the order in which they ended.
 * Rejects as soon as one rejects; the others go on unheard.
 */
export function eachOf<T, R>(
  list: readonly T[],
  concurrency: number,
  run: (one: T) => Promise<R>,
): Promise<R[]> {
  return lastValueFrom(from(list).pipe(mergeMap(run, concurrency), toArray()));
}

/**
 * Waits for `run` until `signal` or the timeout ends it, whether `run` looks at its signal or not. Rejects with the
 * signal's reason then: a `TimeoutError` after `timeoutMs`.
 */
export async function within<T>(
  signal: AbortSignal,
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(ending.reason);
  ending.addEventListener('abort', end, { once: true });
  // An event that is past is not told again.
  if (ending.aborted) end();
  try {
    return await Promise.race([run(ending), ended]);
  } finally {
    ending.removeEventListener('abort', end);
  }
}

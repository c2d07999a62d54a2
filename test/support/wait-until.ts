import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** What is waited for, and how long at most. */
export interface Wait {
  /** Completes the sentence "waited for …". */
  readonly what: string;
  /** Generous, since it only ends a failing test; 30,000 ms by default. */
  readonly deadlineMs?: number;
  /** How long to rest between two looks; 50 ms by default. */
  readonly everyMs?: number;
}

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Looks again and again until the condition holds. A condition that throws does not hold yet.
 *
 * @returns the first value that is neither false, 0, empty nor missing.
 * @throws {Error} after the deadline; the message says what was awaited and the last value or error.
 */
export async function waitUntil<T>(condition: () => T | Promise<T>, wait: Wait): Promise<Truthy<T>> {
  const { what, deadlineMs = 30_000, everyMs = 50 } = wait;
  const started = performance.now();
  for (;;) {
    const last = await attempt(condition);
    if ('value' in last && last.value) return last.value as Truthy<T>;
    if (performance.now() - started > deadlineMs) {
      const seen =
        'value' in last
          ? `last value: ${inspect(last.value, { depth: 6 })}`
          : `last error: ${String(last.error)}`;
      throw new Error(`waited ${deadlineMs} ms for ${what}; ${seen}`, {
        cause: 'error' in last ? last.error : undefined,
      });
    }
    await sleep(everyMs);
  }
}

async function attempt<T>(condition: () => T | Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}

import type { Material } from '@executor-status/api';
import { backoffMs, spread } from '@executor-status/controller';

/** What causes a build: a change of the executor itself, or the passing of time, or a file. A closed set: it labels a metric. */
export type BuildTrigger = 'change' | 'retry' | 'recheck' | 'expiry' | 'file';

/** When to build again; all in milliseconds. */
export interface BuildTimes {
  /** The wait before the first retry of a failure that may pass. Doubles from there. */
  readonly retryBaseMs: number;
  /** The longest wait between retries. */
  readonly retryMaxMs: number;
  /** After failing for this long, only `retrySlowMs` counts. */
  readonly retrySlowAfterMs: number;
  /** The shortest wait between retries from then on. */
  readonly retrySlowMs: number;
  /** How often an executor is built again although nothing is known to have changed. */
  readonly recheckMs: number;
}

/** One build that has ended, and what came before it. */
export interface EndedBuild {
  readonly outcome: {
    readonly succeeded: boolean;
    readonly retryable: boolean;
    readonly retryAfterMs?: number | undefined;
    readonly material: readonly Pick<Material, 'notAfter'>[];
  };
  /** How many builds of this change key in a row have failed for a passing reason, this one included. */
  readonly failures: number;
  /** How long they have been failing. */
  readonly failingForMs: number;
  readonly now: Date;
}

/**
 * When an executor is built again if nothing changes: a retry of what may pass (the wait doubles, ±20 %, and is never
 * shorter than the provider asked for), the regular re-check (±10 %), or within 30 s after the next end date of a
 * material. A deterministic failure is never retried by time.
 *
 * @param random - returns a number in [0, 1).
 */
export function nextBuild(
  ended: EndedBuild,
  times: BuildTimes,
  random: () => number,
): { readonly trigger: BuildTrigger; readonly inMs: number } {
  const { outcome } = ended;
  if (!outcome.succeeded && outcome.retryable)
    return { trigger: 'retry', inMs: retryMs(ended, times, random) };
  const recheckMs = Math.round(spread(times.recheckMs, 0.1, random));
  const expiryMs = Math.round(untilNextEndMs(outcome.material, ended.now) + EXPIRY_SPREAD_MS * random());
  return expiryMs < recheckMs
    ? { trigger: 'expiry', inMs: expiryMs }
    : { trigger: 'recheck', inMs: recheckMs };
}

/** So that not all pods ask a key vault in the same second after a certificate has ended. */
const EXPIRY_SPREAD_MS = 30_000;
/** A provider that asks for a longer pause than this is asked again all the same. */
const LONGEST_PAUSE_MS = 3_600_000;

function retryMs(ended: EndedBuild, times: BuildTimes, random: () => number): number {
  const slow = ended.failingForMs >= times.retrySlowAfterMs;
  const quick = { baseMs: times.retryBaseMs, maxMs: times.retryMaxMs, jitter: 0.2 };
  // Slow retries vary upwards only: `retrySlowMs` bounds how many there are in an hour.
  const own = slow ? times.retrySlowMs * (1 + 0.2 * random()) : backoffMs(ended.failures, quick, random);
  const asked = Math.min(ended.outcome.retryAfterMs ?? 0, LONGEST_PAUSE_MS) * (1 + 0.1 * random());
  return Math.round(Math.max(own, asked));
}

/** Milliseconds until the first end date still to come; one more, so that then it has passed. Infinite without one. */
function untilNextEndMs(material: EndedBuild['outcome']['material'], now: Date): number {
  const ends = material
    .map((one) => Date.parse(one.notAfter ?? ''))
    .filter((end) => end >= now.getTime())
    .map((end) => end - now.getTime());
  return Math.min(Infinity, ...ends) + 1000;
}

import { type Backoff, backoffMs } from '@executor-status/controller';
import { KubeError } from '@executor-status/kube';

/**
 * How long to wait before a write that failed is tried again, in milliseconds. Every write is: what it waits for (a
 * right, a CRD, the end of an outage) comes back without a word. A pause that the server asked for is kept.
 *
 * @param attempt - how often it has failed in a row; at least 1.
 * @param random - returns a number in [0, 1).
 */
export function writeRetryMs(error: unknown, attempt: number, random: () => number): number {
  const asked = error instanceof KubeError ? (error.retryAfterMs ?? 0) : 0;
  const late = settles(error) ? attempt - SETTLES_WITHIN : 0;
  const own = late > 0 ? backoffMs(late, OUTAGE, random) : backoffMs(attempt, backoffOf(error), random);
  return Math.max(asked, own);
}

/**
 * Whether the next try is likely to settle it: a conflict, or an object that vanished meanwhile. Not after
 * {@link SETTLES_WITHIN} failures in a row: then something keeps it from settling.
 */
export function settles(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 409 || error.missing === 'object');
}

/** More than the twenty conflicts in a row that are nothing to speak of (WP-3). */
export const SETTLES_WITHIN = 25;

// The report is read again before each try, so after a conflict or a vanished object a short wait is enough.
const QUICK: Backoff = { baseMs: 20, maxMs: 1000, jitter: 0.2 };
// Ends below 30 s: so soon after an outage the newest verdict is stored (WP-4).
const OUTAGE: Backoff = { baseMs: 1000, maxMs: 20_000, jitter: 0.2 };
// The server has read the object and will not have it; only a new verdict, or a new CRD, can help.
const REFUSED: Backoff = { baseMs: 5000, maxMs: 300_000, jitter: 0.2 };

function backoffOf(error: unknown): Backoff {
  if (settles(error)) return QUICK;
  if (!(error instanceof KubeError)) return OUTAGE;
  switch (error.code) {
    case 400:
    case 413:
    case 422:
      return REFUSED;
    default:
      return OUTAGE;
  }
}

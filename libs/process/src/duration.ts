const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/** The longest span a Node.js timer can wait for: 2^31 - 1 milliseconds, nearly 25 days. A longer one fires at once. */
export const MAX_DURATION_MS = 2 ** 31 - 1;

/**
 * Milliseconds of a time span written as in Go and in Kubernetes: `500ms`, `60s`, `5m`, `1h30m`.
 *
 * @returns `undefined` for anything else: no unit, a sign, a space, or longer than `MAX_DURATION_MS`.
 */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)([a-z]+)/g)) {
    ms += Number(amount) * (UNITS_MS[unit ?? ''] ?? Number.NaN);
  }
  const whole = Math.round(ms);
  return whole <= MAX_DURATION_MS ? whole : undefined;
}

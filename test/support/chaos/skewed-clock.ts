/**
 * A script that gives a process a wall clock that is wrong from the start and jumps at each SIGUSR2, while its monotonic clock
 * goes on as ever: what a bad time server does to a node. For `node --import`.
 *
 * @param skewsMs - how far the clock is off: first, and after each signal; the last one stays.
 */
export function skewedClock(skewsMs: readonly number[]): string {
  return `
const Real = Date;
const skews = ${JSON.stringify(skewsMs)};
let at = 0;
const now = () => Real.now() + (skews[at] ?? 0);
globalThis.Date = class extends Real {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }
  static now() {
    return now();
  }
};
// Taken from the wall clock when the process begins, and never again.
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + (skews[0] ?? 0) });
process.on('SIGUSR2', () => (at = Math.min(at + 1, skews.length - 1)));
`;
}

import { seededRandom } from '../seeded-random.ts';
import type { Fault } from './fault.ts';
import { requestKind, type SeenRequest } from './seen-request.ts';

/**
 * Decides what goes wrong with a request, `undefined` for nothing. Must depend on nothing but its arguments, so that the
 * same run meets the same faults again.
 *
 * @param count - how many requests of that class came before it.
 */
export type FaultPlan = (request: SeenRequest, count: number) => Fault | undefined;

/** What {@link randomFaults} draws from. */
export interface RandomFaults {
  readonly seed: number;
  /** How many of all requests meet a fault, from 0 to 1. */
  readonly rate: number;
  /** Kinds of faults that are left out. */
  readonly without?: readonly Fault['kind'][];
}

/** Faults for a part of all requests, drawn anew for each from the seed, its class and its count. */
export function randomFaults({ seed, rate, without = [] }: RandomFaults): FaultPlan {
  const ofWatches = WATCH_FAULTS.filter(([, kind]) => !without.includes(kind));
  const ofCalls = CALL_FAULTS.filter(([, kind]) => !without.includes(kind));
  return (request, count) => {
    const random = seededRandom(hash(`${seed} ${requestClass(request)} ${count}`));
    if (random() >= rate) return undefined;
    return draw(request.verb === 'watch' ? ofWatches : ofCalls, random);
  };
}

/**
 * What makes two requests the same to a plan: everything but the namespace, whose name tests choose at random.
 */
export function requestClass(request: SeenRequest): string {
  return `${request.client} ${requestKind(request)} ${request.name}`;
}

type Random = () => number;
/** How often it is drawn, compared with the others; its kind; and the fault itself. */
type Chance = readonly [weight: number, kind: Fault['kind'], make: (random: Random) => Fault];

const whole = (random: Random, below: number) => Math.floor(random() * below);
const anyOf = <T>(random: Random, first: T, ...rest: readonly T[]): T =>
  [first, ...rest][whole(random, rest.length + 1)] ?? first;

const REFUSALS: readonly Chance[] = [
  [2, 'answer', (random) => ({ kind: 'answer', code: anyOf(random, 500, 503, 504), form: form(random) })],
  [2, 'answer', (random) => ({ kind: 'answer', code: anyOf(random, 429, 503), retryAfterSeconds: 1 })],
  [2, 'answer', (random) => ({ kind: 'answer', code: anyOf(random, 401, 403, 429), form: form(random) })],
];
const ANY_FAULTS: readonly Chance[] = [
  ...REFUSALS,
  [2, 'delay', (random) => ({ kind: 'delay', ms: 20 + whole(random, 500) })],
  [1, 'drip', (random) => ({ kind: 'drip', bytes: 50 + whole(random, 500), everyMs: 5 })],
  [1, 'goaway', () => ({ kind: 'goaway' })],
];
const WATCH_FAULTS: readonly Chance[] = [
  ...ANY_FAULTS,
  [4, 'cut', (random) => ({ kind: 'cut', lines: whole(random, 6) })],
  [2, 'reset', (random) => ({ kind: 'reset', lines: whole(random, 6) })],
  [2, 'end', (random) => ({ kind: 'end', lines: whole(random, 6) })],
  [2, 'truncate', (random) => ({ kind: 'truncate', lines: whole(random, 6) })],
  [1, 'garble', (random) => ({ kind: 'garble', lines: whole(random, 6) })],
  [2, 'expired', (random) => ({ kind: 'expired', lines: whole(random, 6) })],
  [1, 'answer', () => ({ kind: 'answer', code: 410 })],
  [1, 'lag', (random) => ({ kind: 'lag', ms: 50 + whole(random, 1_000) })],
  [1, 'drop', (random) => ({ kind: 'drop', lines: whole(random, 6) })],
];
const CALL_FAULTS: readonly Chance[] = [
  ...ANY_FAULTS,
  [2, 'answer', () => ({ kind: 'answer', code: 409 })],
  [3, 'lose', (random) => ({ kind: 'lose', whole: random() < 0.3 })],
  [2, 'cut', () => ({ kind: 'cut' })],
  [1, 'reset', () => ({ kind: 'reset' })],
  [1, 'truncate', () => ({ kind: 'truncate' })],
  [1, 'drop', () => ({ kind: 'drop' })],
];

const form = (random: Random) => (random() < 0.5 ? 'status' : 'html');

function draw(chances: readonly Chance[], random: Random): Fault | undefined {
  const sum = chances.reduce((total, [weight]) => total + weight, 0);
  let left = random() * sum;
  for (const [weight, , make] of chances) {
    left -= weight;
    if (left < 0) return make(random);
  }
  return undefined;
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo; RFC 9923). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}

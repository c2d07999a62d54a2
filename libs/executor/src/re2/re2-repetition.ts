import { Re2Error } from './re2-error.ts';
import { MAX_REPEAT, type Measure, repeated, wrapped } from './re2-measure.ts';

/** A repetition in a pattern: what it makes of its operand, and where it ends. */
export interface Repetition {
  /** Throws {@link Re2Error} when nested counts become too many. */
  apply(part: Measure): Measure;
  readonly end: number;
}

/** `*`, `+`, `?` or counts in braces, with the `?` behind it. Other braces are plain characters. */
export function readRepetition(pattern: string, at: number): Repetition | undefined {
  switch (pattern.charAt(at)) {
    case '*':
      return { apply: (part) => wrapped(part, 2), end: lazyEnd(pattern, at + 1) };
    case '+':
    case '?':
      return { apply: (part) => wrapped(part, 1), end: lazyEnd(pattern, at + 1) };
    case '{':
      return readCounts(pattern, at);
    default:
      return undefined;
  }
}

const COUNTS = /\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y;

function readCounts(pattern: string, at: number): Repetition | undefined {
  COUNTS.lastIndex = at;
  const match = COUNTS.exec(pattern);
  if (match === null) return undefined;
  const [text, low, comma, high] = match;
  const min = Number(low);
  const max = comma === undefined ? min : high === undefined ? undefined : Number(high);
  if (min > MAX_REPEAT || (max !== undefined && (max > MAX_REPEAT || min > max))) {
    throw new Re2Error(
      `it has the repeat count ${text.slice(0, 20)}; 0 to ${MAX_REPEAT} in order are allowed`,
    );
  }
  const counts = min >= 2 || (max ?? 0) >= 2;
  return {
    apply: (part) => {
      const measure = repeated(part, min, max);
      if (!counts || measure.repeats <= MAX_REPEAT) return measure;
      throw new Re2Error(`it has nested repeat counts of more than ${MAX_REPEAT} together`);
    },
    end: lazyEnd(pattern, at + text.length),
  };
}

/** A question mark behind a repetition makes it lazy. */
function lazyEnd(pattern: string, end: number): number {
  return pattern.charAt(end) === '?' ? end + 1 : end;
}

/**
 * How large a part of a pattern is by Go's count, before Go joins common beginnings of alternatives: an upper bound of
 * what Go compares with its limits.
 *
 * @see https://pkg.go.dev/regexp/syntax
 */
export interface Measure {
  /** Instructions of the program. */
  readonly size: number;
  /** Levels of nesting. */
  readonly height: number;
  /** The product of nested repeat counts. */
  readonly repeats: number;
}

/** Go's limits: `maxSize`, `maxHeight`, and 1,000 for repeat counts. */
export const MAX_SIZE = 3_355_443;
export const MAX_HEIGHT = 1_000;
export const MAX_REPEAT = 1_000;

/** One character or class, or nothing. */
export const ONE: Measure = { size: 1, height: 1, repeats: 0 };

/** Two parts behind each other; `extra` instructions between them. */
export function joined(a: Measure, b: Measure, extra = 0): Measure {
  return {
    size: a.size + b.size + extra,
    height: Math.max(a.height, b.height),
    repeats: Math.max(a.repeats, b.repeats),
  };
}

/** `part` with one more level, for parentheses or a repetition, of `extra` instructions. */
export function wrapped(part: Measure, extra: number): Measure {
  return { ...part, size: part.size + extra, height: part.height + 1 };
}

/** `part{min,max}`; without `max`, there is no end. */
export function repeated(part: Measure, min: number, max: number | undefined): Measure {
  const copies = max ?? min;
  const size =
    max === undefined ? min * part.size + (min === 0 ? 2 + part.size : 1) : max * part.size + max - min;
  const product = max === 0 ? 0 : Math.max(copies, Math.max(copies, 1) * part.repeats);
  return { size: Math.max(size, 1), height: part.height + 1, repeats: product };
}

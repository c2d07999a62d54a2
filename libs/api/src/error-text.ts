/**
 * What an error says, with its whole chain of causes: `cannot build: cannot read /a: no such file`. A cause whose text
 * stands in the message before it is not repeated; the errors of an AggregateError are joined with `; `. No stack, and not
 * redacted.
 *
 * @param error - whatever was thrown; what is no Error is shown as text.
 */
export function errorText(error: unknown): string {
  return chain(error, MAX_CAUSES).join(': ');
}

/** How far a chain is followed: far more than a real one has, and an end for one that goes in a circle. */
const MAX_CAUSES = 16;

function chain(error: unknown, left: number): string[] {
  if (!(error instanceof Error)) return [plainText(error)];
  if (error instanceof AggregateError && error.message === '') return [together(error, left)];
  const own = error.message === '' ? error.name : error.message;
  if (left === 0) return [own];
  const causes = error instanceof AggregateError ? [together(error, left)] : [];
  if (error.cause !== undefined) causes.push(...chain(error.cause, left - 1));
  return [own, ...causes.filter((text) => text !== '' && !own.includes(text))];
}

function together(error: AggregateError, left: number): string {
  if (left === 0 || error.errors.length === 0) return error.name;
  return error.errors.map((one) => chain(one, left - 1).join(': ')).join('; ');
}

function plainText(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return 'something that is neither an Error nor JSON was thrown'; // A circle or a BigInt: there is no better text.
  }
}

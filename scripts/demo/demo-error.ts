/** Something that the person who called the demo can put right: told in one line, exit code 2. */
export class DemoUsageError extends Error {
  override readonly name = 'DemoUsageError';
}

/** A step of the demo whose outcome is not what it must be: exit code 1. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

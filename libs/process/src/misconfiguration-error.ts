/**
 * The program cannot run as it was told or set up, and only somebody else can change that: a wrong flag, an identity that
 * is not there. Ends a program with exit code 78 (`EX_CONFIG` of sysexits.h), or parks it.
 */
export class MisconfigurationError extends Error {
  override readonly name: string = 'MisconfigurationError';
}

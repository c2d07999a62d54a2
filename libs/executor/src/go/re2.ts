/**
 * Why Go's `regexp` refuses `pattern`, or `undefined`. Loads the RE2 port on first use: it takes 4 MiB.
 *
 * Users' patterns never reach JavaScript's own engine, which knows other constructs and can take for ever.
 */
export async function whyNoRe2(pattern: string): Promise<string | undefined> {
  const { RE2JS } = await import('re2js');
  try {
    RE2JS.compile(pattern.toWellFormed());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it does not compile';
  }
}

import { Re2Error } from './re2-error.ts';
import { MAX_HEIGHT, MAX_SIZE } from './re2-measure.ts';
import { measurePattern } from './re2-syntax.ts';

/** A pattern of at most this many characters is compiled with the RE2 port when it comes near a limit. */
const MAX_PORT_CHARS = 8_192;

/**
 * Why Go's `regexp` refuses `pattern`, as a clause about it, or `undefined`.
 *
 * Users' patterns never reach JavaScript's own engine, which knows other constructs and can take for ever.
 */
export async function whyNoRe2(pattern: string): Promise<string | undefined> {
  try {
    const { size, height } = measurePattern(pattern);
    if (size > MAX_SIZE) return 'it is too large';
    return height > MAX_HEIGHT ? await whyTooDeep(pattern) : undefined;
  } catch (error) {
    if (error instanceof Re2Error) return error.message;
    throw error;
  }
}

/** Near the limit of nesting only RE2 itself knows how deep a pattern is, after it has joined what it can join. */
async function whyTooDeep(pattern: string): Promise<string | undefined> {
  const tooDeep = 'it is nested too deeply';
  if (pattern.length > MAX_PORT_CHARS) return tooDeep;
  const { RE2JS } = await import('re2js');
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch {
    return tooDeep;
  }
}

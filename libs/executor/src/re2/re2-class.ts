import { Re2Error } from './re2-error.ts';
import { classEscapeEnd, type Read, readChar, readEscape } from './re2-escape.ts';

const POSIX_NAMES: ReadonlySet<string> = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);

/**
 * Checks the character class that begins at `at` with `[`, and says where it ends.
 *
 * @param lastNamed - where the last `:]` of the pattern is; a parameter, so that it is looked for once.
 */
export function classEnd(pattern: string, at: number, lastNamed: number): number {
  let next = at + (pattern.charAt(at + 1) === '^' ? 2 : 1);
  // A bracket that comes first is a member.
  for (let first = true; first || pattern.charAt(next) !== ']'; first = false)
    next = memberEnd(pattern, next, lastNamed);
  return next + 1;
}

function memberEnd(pattern: string, at: number, lastNamed: number): number {
  const named = (lastNamed < at + 2 ? undefined : namedEnd(pattern, at)) ?? classEscapeEnd(pattern, at);
  if (named !== undefined) return named;
  const low = readMember(pattern, at);
  const behind = pattern.charAt(low.end + 1);
  if (pattern.charAt(low.end) !== '-' || behind === '' || behind === ']') return low.end;
  const high = readMember(pattern, low.end + 1);
  if (high.code < low.code)
    throw new Re2Error(`it has the range ${pattern.slice(at, high.end)}, which runs backwards`);
  return high.end;
}

/** `[:alpha:]`, of which there is an end somewhere; without one, the bracket would be a plain character. */
function namedEnd(pattern: string, at: number): number | undefined {
  if (!pattern.startsWith('[:', at)) return undefined;
  const close = pattern.indexOf(':]', at + 2);
  const name = pattern.slice(at + 2, close).replace(/^\^/, '');
  if (!POSIX_NAMES.has(name))
    throw new Re2Error(
      `it has the class ${pattern.slice(at, Math.min(close, at + 20) + 2)}, which RE2 does not know`,
    );
  return close + 2;
}

function readMember(pattern: string, at: number): Read {
  if (at >= pattern.length) throw new Re2Error('it has a [ without its ]');
  return pattern.charAt(at) === '\\' ? readEscape(pattern, at) : readChar(pattern, at);
}

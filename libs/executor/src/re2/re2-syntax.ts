import { classEnd } from './re2-class.ts';
import { Re2Error } from './re2-error.ts';
import { classEscapeEnd, readChar, readEscape } from './re2-escape.ts';
import { joined, MAX_HEIGHT, type Measure, ONE, wrapped } from './re2-measure.ts';
import { type Repetition, readRepetition } from './re2-repetition.ts';

/** Where the last `:]` is, and the groups that are open. */
interface State {
  readonly lastNamed: number;
  readonly groups: Group[];
}

/** What stands in one pair of parentheses so far. */
interface Group {
  /** Everything before `last`, alternatives included. */
  before: Measure | undefined;
  /** What a repetition would repeat; nothing at the beginning and behind `|`. */
  last: Measure | undefined;
  readonly capturing: boolean;
  /** Capturing groups around and including this one. */
  readonly depth: number;
}

/**
 * Checks the syntax of `pattern` as Go's `regexp` does, in one pass. Throws {@link Re2Error}.
 *
 * Compiling it with a port of RE2 would say the same, but takes a kilobyte and ten microseconds per character, and much
 * more for repetitions: more than a sidecar may take for a spec of 1 MB.
 *
 * @see https://pkg.go.dev/regexp/syntax
 */
export function measurePattern(pattern: string): Measure {
  const groups: Group[] = [{ before: undefined, last: undefined, capturing: false, depth: 0 }];
  const state = { groups, lastNamed: pattern.lastIndexOf(':]') };
  let at = 0;
  let afterRepeat = false;
  while (at < pattern.length) {
    const repetition = readRepetition(pattern, at);
    if (repetition === undefined) {
      at = readPart(pattern, at, state);
    } else {
      if (afterRepeat) throw new Re2Error('it has two repetitions in a row');
      repeatLast(innermost(groups), repetition);
      at = repetition.end;
    }
    afterRepeat = repetition !== undefined;
  }
  if (groups.length > 1) throw new Re2Error('it has a ( without its )');
  return close(innermost(groups));
}

function repeatLast(group: Group, repetition: Repetition): void {
  if (group.last === undefined) throw new Re2Error('it has a repetition of nothing');
  group.last = repetition.apply(group.last);
}

/** Reads what is no repetition, and says where it ends. */
function readPart(pattern: string, at: number, { groups, lastNamed }: State): number {
  switch (pattern.charAt(at)) {
    case '(':
      return openGroup(pattern, at, groups);
    case ')':
      return closeGroup(at, groups);
    case '|':
      bar(innermost(groups));
      return at + 1;
    case '[':
      push(innermost(groups), ONE);
      return classEnd(pattern, at, lastNamed);
    case '\\':
      return readEscaped(pattern, at, innermost(groups));
    default:
      push(innermost(groups), ONE);
      return readChar(pattern, at).end;
  }
}

function readEscaped(pattern: string, at: number, group: Group): number {
  const kind = pattern.charAt(at + 1);
  if (kind === 'Q') return readQuoted(pattern, at, group);
  const end =
    kind !== '' && 'AbBz'.includes(kind)
      ? at + 2
      : (classEscapeEnd(pattern, at) ?? readEscape(pattern, at).end);
  push(group, ONE);
  return end;
}

/** `\Q…\E`: plain characters; with none, what stood before can still be repeated. */
function readQuoted(pattern: string, at: number, group: Group): number {
  const close = pattern.indexOf('\\E', at + 2);
  const end = close < 0 ? pattern.length : close;
  for (let i = at + 2; i < end; i += 1) push(group, ONE);
  return close < 0 ? end : end + 2;
}

const NAMED_GROUP = /\(\?P?<([^>]*)>/y;
// Flags, perhaps a minus and more flags, then a colon that opens a group or a parenthesis that does not.
const FLAGS = /\(\?[imsU]*(?:-[imsU]+)?([:)])/y;

function openGroup(pattern: string, at: number, groups: Group[]): number {
  if (pattern.charAt(at + 1) !== '?') return open(groups, { capturing: true, end: at + 1 });
  NAMED_GROUP.lastIndex = at;
  const name = NAMED_GROUP.exec(pattern)?.[1];
  if (name !== undefined) {
    if (!/^[0-9A-Za-z_]+$/.test(name))
      throw new Re2Error('it has a group whose name is not letters, digits and _');
    return open(groups, { capturing: true, end: NAMED_GROUP.lastIndex });
  }
  FLAGS.lastIndex = at;
  const flags = FLAGS.exec(pattern);
  if (flags === null) throw new Re2Error(`it has ${pattern.slice(at, at + 4)}, which RE2 does not know`);
  return flags[1] === ':' ? open(groups, { capturing: false, end: FLAGS.lastIndex }) : FLAGS.lastIndex;
}

function open(groups: Group[], { capturing, end }: { capturing: boolean; end: number }): number {
  const depth = (groups.at(-1)?.depth ?? 0) + (capturing ? 1 : 0);
  // Each of these is a level of its own, whatever stands inside.
  if (depth > MAX_HEIGHT) throw new Re2Error('it is nested too deeply');
  groups.push({ before: undefined, last: undefined, capturing, depth });
  return end;
}

function closeGroup(at: number, groups: Group[]): number {
  const group = groups.length > 1 ? groups.pop() : undefined;
  if (group === undefined) throw new Re2Error('it has a ) without its (');
  const inside = close(group);
  push(innermost(groups), group.capturing ? wrapped(inside, 2) : inside);
  return at + 1;
}

function push(group: Group, part: Measure): void {
  flush(group);
  group.last = part;
}

function bar(group: Group): void {
  flush(group);
  group.before = joined(group.before ?? ONE, ONE);
}

function flush(group: Group): void {
  if (group.last !== undefined)
    group.before = group.before === undefined ? group.last : joined(group.before, group.last);
  group.last = undefined;
}

/** All of a group; concatenation and alternation may add a level each. */
function close(group: Group): Measure {
  const several = group.before !== undefined;
  flush(group);
  const inside = group.before ?? ONE;
  return several ? { ...inside, height: inside.height + 2 } : inside;
}

function innermost(groups: readonly Group[]): Group {
  const group = groups.at(-1);
  if (group === undefined) throw new Error('no group is open');
  return group;
}

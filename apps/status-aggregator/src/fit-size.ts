import {
  boundText,
  type ErrorGroup,
  type ExecutorStatus,
  encodedBytes,
  type PodEntry,
} from '@executor-status/api';

const SHORT_ERROR_BYTES = 256;
/** One code unit takes at most this many bytes as the API server stores it. */
const MAX_BYTES_PER_UNIT = 6;
/** What the shrunk list of groups keeps. */
const FEW_GROUPS = 3;

/** The lists of a status, which shrink, and how to make the whole of them. */
export interface Shrinkable {
  readonly byPod: readonly PodEntry[];
  readonly errorGroups: readonly ErrorGroup[];
  /** The ids of entries that can be left out first. */
  readonly healthy: ReadonlySet<string>;
}

/**
 * The status that `compose` makes of `lists`, shrunk until it takes at most `maxBytes` as the API server stores it: entry
 * errors to 256 bytes, then without them, then without healthy entries, then fewer groups, then half of the entries, again
 * and again. Counts and conditions are never touched.
 */
export function fitSize(
  lists: Shrinkable,
  maxBytes: number,
  compose: (lists: Shrinkable) => ExecutorStatus,
): ExecutorStatus {
  let left = lists;
  let status = compose(left);
  for (const shrink of [...STEPS, ...Array.from({ length: HALVINGS }, () => halved)]) {
    if (fits(status, maxBytes)) return status;
    left = shrink(left);
    status = compose(left);
  }
  return status;
}

function fits(status: ExecutorStatus, maxBytes: number): boolean {
  // Counting bytes exactly is slow, and nearly always needless.
  return JSON.stringify(status).length * MAX_BYTES_PER_UNIT <= maxBytes || encodedBytes(status) <= maxBytes;
}

type Step = (lists: Shrinkable) => Shrinkable;

const STEPS: readonly Step[] = [
  (lists) => ({ ...lists, byPod: lists.byPod.map(withShortError) }),
  (lists) => ({ ...lists, byPod: lists.byPod.map(({ error: _error, ...entry }) => entry) }),
  (lists) => ({ ...lists, byPod: lists.byPod.filter(({ id }) => !lists.healthy.has(id)) }),
  (lists) => ({ ...lists, errorGroups: lists.errorGroups.slice(0, FEW_GROUPS) }),
];

/** Halving 256 entries this many times leaves none. */
const HALVINGS = 9;

const halved: Step = (lists) => ({
  ...lists,
  byPod: lists.byPod.slice(0, Math.floor(lists.byPod.length / 2)),
});

function withShortError(entry: PodEntry): PodEntry {
  return entry.error === undefined ? entry : { ...entry, error: boundText(entry.error, SHORT_ERROR_BYTES) };
}

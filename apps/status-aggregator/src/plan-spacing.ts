import type { Urgency } from './judge-urgency.ts';

/** How far apart the writes of one executor's status are; milliseconds, but for `largeBytes`. */
export interface SpacingSettings {
  /** Least time between any write and a transition. */
  readonly transitionMs: number;
  /** The same for a status of more than `largeBytes` bytes. */
  readonly largeTransitionMs: number;
  readonly largeBytes: number;
  /** How long progress waits after a write at first, and how long it gathers; it doubles with each write of progress. */
  readonly progressMs: number;
  readonly maxProgressMs: number;
  /** After so long without a write, progress waits as at first again. */
  readonly quietMs: number;
  /** Least time between two repairs of what another manager changed. */
  readonly repairMs: number;
  /** Least time between any two writes while another manager contends. */
  readonly contendedMs: number;
}

/** The numbers of design rule 9. */
export const DEFAULT_SPACING: SpacingSettings = {
  transitionMs: 1000,
  largeTransitionMs: 10_000,
  largeBytes: 100 * 1024,
  progressMs: 2000,
  maxProgressMs: 60_000,
  quietMs: 120_000,
  repairMs: 10_000,
  contendedMs: 60_000,
};

/** The pace of one executor's writes so far, on the monotonic clock. */
export interface Pace {
  readonly wroteMs?: number;
  readonly repairedMs?: number;
  /** How long progress has to wait after the last write; absent for as at first. */
  readonly stepMs?: number;
  /** Since when a change has been waiting to be written; absent while none is. */
  readonly pendingMs?: number;
}

/** A change that wants to be written. */
export interface Wish {
  readonly urgency: Urgency;
  readonly repair: boolean;
  readonly contended: boolean;
  /** Of the whole status. */
  readonly bytes: number;
}

/** When `wish` may be written, and the pace to remember until then. */
export function planSpacing(
  pace: Pace,
  wish: Wish,
  { settings, nowMs }: { readonly settings: SpacingSettings; readonly nowMs: number },
): { readonly dueInMs: number; readonly pace: Pace } {
  const waiting = paceWaiting(pace, nowMs);
  const { wroteMs = Number.NEGATIVE_INFINITY, repairedMs = Number.NEGATIVE_INFINITY } = pace;
  const earliest = [
    wroteMs + leastGap(wish, settings),
    ...(wish.urgency === 'progress' && !wish.repair
      ? [nextProgressMs(waiting, settings), waiting.pendingMs + settings.progressMs]
      : []),
    ...(wish.repair ? [repairedMs + settings.repairMs] : []),
    ...(wish.contended ? [wroteMs + settings.contendedMs] : []),
  ];
  return { dueInMs: Math.max(0, ...earliest.map((atMs) => atMs - nowMs)), pace: waiting };
}

/** The pace after `wish` was written at `nowMs`, or was tried to. */
export function paceAfter(
  pace: Pace,
  wish: Wish,
  { settings, nowMs }: { readonly settings: SpacingSettings; readonly nowMs: number },
): Pace {
  const { pendingMs: _written, stepMs: _step, ...kept } = pace;
  const doubled = Math.min(stepOf(pace, settings) * 2, settings.maxProgressMs);
  return {
    ...kept,
    wroteMs: nowMs,
    ...(wish.repair && { repairedMs: nowMs }),
    ...(wish.urgency === 'progress' && { stepMs: doubled }),
  };
}

/** The pace once something has come that waits for the next write of progress. */
export function paceWaiting(pace: Pace, nowMs: number): Pace & { readonly pendingMs: number } {
  return { ...pace, pendingMs: pace.pendingMs ?? nowMs };
}

/** When progress may follow the last write, on the monotonic clock. */
export function nextProgressMs(pace: Pace, settings: SpacingSettings): number {
  return (pace.wroteMs ?? Number.NEGATIVE_INFINITY) + stepOf(pace, settings);
}

/** The pace when there is nothing to write any more. */
export function paceAtRest({ pendingMs: _gone, ...pace }: Pace): Pace {
  return pace;
}

function leastGap({ bytes }: Wish, settings: SpacingSettings): number {
  return bytes > settings.largeBytes ? settings.largeTransitionMs : settings.transitionMs;
}

function stepOf({ wroteMs, stepMs = 0, pendingMs }: Pace, settings: SpacingSettings): number {
  const quiet = wroteMs === undefined || (pendingMs !== undefined && pendingMs - wroteMs >= settings.quietMs);
  return quiet ? settings.progressMs : Math.max(stepMs, settings.progressMs);
}

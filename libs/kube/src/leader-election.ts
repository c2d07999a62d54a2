import type { Observable } from 'rxjs';
import { abortableStream } from './abortable-stream.ts';
import { Candidate } from './candidate.ts';
import type { Clock } from './clock.ts';
import type { KubeClient } from './kube-client.ts';
import { type Log, noLog } from './log.ts';

/** What {@link leaderElection} needs. Times are in milliseconds and must grow: retry < renew deadline < lease. */
export interface LeaderElectionOptions {
  readonly client: KubeClient;
  /** Where the Lease is, and its name: the same for all candidates of all versions. */
  readonly namespace: string;
  readonly name: string;
  /** Who this process is; no other process, not even its own predecessor, may have the same. */
  readonly identity: string;
  /** How long others wait for a silent leader; default 15,000. Kubernetes stores whole seconds: rounded up. */
  readonly leaseDurationMs?: number;
  /** How long a leader that cannot renew goes on; default 10,000. What it has sent by then has the rest to arrive. */
  readonly renewDeadlineMs?: number;
  /** How often it tries; default 2,000. */
  readonly retryPeriodMs?: number;
  /** Default: the client's clock. */
  readonly clock?: Clock;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly log?: Log;
}

/**
 * `leader` comes again when a renewal was so slow that nothing could be written meanwhile: look at what was to be written then. `lost`
 * is the last word: the process must stop writing at once, and end.
 */
export type LeaderState = 'follower' | 'leader' | 'lost';

/** One candidate for one Lease. */
export interface LeaderElection {
  /**
   * Runs while subscribed, by one subscriber: `follower`, then `leader` once won, then `lost` and the end. Never fails.
   * Ends without `lost` after {@link release}.
   */
  readonly states: Observable<LeaderState>;
  /** Whether this process may write right now, by the monotonic clock. Ask before each write. */
  isLeader(): boolean;
  /** For how many milliseconds nobody else can take over, even without another renewal; 0 when this process may not write. */
  leaseLeftMs(): number;
  /** For how many milliseconds no holder has been seen alive; 0 while there is one. */
  leaderlessMs(): number;
  /** Who holds the Lease, as far as is known. */
  holder(): string | undefined;
  /** Gives the Lease up, so that the next leader need not wait, and ends {@link states}. Stop writing before. Never rejects. */
  release(): Promise<void>;
}

/**
 * Takes part in the election of one leader through a Lease, as client-go does: who holds it is alive as long as we see it
 * change, on our own monotonic clock, so that wall clocks may be hours apart.
 *
 * @throws {RangeError} if the times do not grow.
 * @see k8s.io/client-go, tools/leaderelection/leaderelection.go: the algorithm and the three defaults.
 */
export function leaderElection(options: LeaderElectionOptions): LeaderElection {
  const settings = { ...DEFAULTS, clock: options.client.clock, ...options };
  const { retryPeriodMs, renewDeadlineMs, leaseDurationMs } = settings;
  if (!(0 < retryPeriodMs && retryPeriodMs < renewDeadlineMs && renewDeadlineMs < leaseDurationMs)) {
    throw new RangeError(
      `the times of a leader election must grow: retry ${retryPeriodMs} < renew deadline ${renewDeadlineMs} < lease ${leaseDurationMs}`,
    );
  }
  const candidate = new Candidate(settings);
  return {
    states: abortableStream((signal) => candidate.run(signal)),
    isLeader: () => candidate.leads,
    leaseLeftMs: () => candidate.leaseLeftMs,
    leaderlessMs: () => candidate.leaderlessMs,
    holder: () => candidate.holder,
    release: () => candidate.release(),
  };
}

const DEFAULTS = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000, log: noLog };

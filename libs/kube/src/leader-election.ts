import type { Observable } from 'rxjs';
import type { Clock } from './clock.ts';
import type { KubeClient } from './kube-client.ts';
import type { Log } from './log.ts';

/** What {@link leaderElection} needs. Times are in milliseconds and must grow: retry < renew deadline < lease. */
export interface LeaderElectionOptions {
  readonly client: KubeClient;
  /** Where the Lease is, and its name: the same for all candidates of all versions. */
  readonly namespace: string;
  readonly name: string;
  /** Who this process is; no other process, not even its own predecessor, may have the same. */
  readonly identity: string;
  /** How long others wait for a silent leader; default 15,000. */
  readonly leaseDurationMs?: number;
  /** How long a leader that cannot renew goes on; default 10,000. */
  readonly renewDeadlineMs?: number;
  /** How often it tries; default 2,000. */
  readonly retryPeriodMs?: number;
  /** Default: the client's clock. */
  readonly clock?: Clock;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly log?: Log;
}

/** `lost` is the last word: the process must stop writing at once, and end. */
export type LeaderState = 'follower' | 'leader' | 'lost';

/** One candidate for one Lease. */
export interface LeaderElection {
  /** Runs while subscribed (by one subscriber): `follower`, then `leader` once won, then `lost` and the end. */
  readonly states: Observable<LeaderState>;
  /** Whether this process may write right now, by the monotonic clock. Ask before each write. */
  isLeader(): boolean;
  /** For how many milliseconds no valid holder has been seen; 0 while there is one. */
  leaderlessMs(): number;
  /** Who holds the Lease as far as is known. */
  holder(): string | undefined;
  /** Gives the Lease up, so that another candidate need not wait. Stop writing before. Never rejects. */
  release(): Promise<void>;
}

/** Takes part in the election of one leader through a Lease. */
export function leaderElection(options: LeaderElectionOptions): LeaderElection {
  throw new Error(`not built yet: ${options.identity}`);
}

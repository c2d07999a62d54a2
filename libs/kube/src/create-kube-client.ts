import type { CoreMetrics } from '@executor-status/controller';
import type { Clock } from './clock.ts';
import type { Credentials } from './credentials.ts';
import type { KubeClient } from './kube-client.ts';
import type { Log } from './log.ts';

/** What {@link createKubeClient} needs; only the credentials and the name of the program have no default. */
export interface KubeClientOptions {
  readonly credentials: Credentials;
  /** What the audit log calls us: `executor-writer/0.1.0`. */
  readonly userAgent: string;
  /** Calls a second in the long run; default 20. Streams do not count. */
  readonly qps?: number;
  /** Calls that may be made at once after a quiet time; default 40. */
  readonly burst?: number;
  /** Calls that may be open at once; default 16. Streams do not count. */
  readonly maxInFlight?: number;
  /** The deadline of a call in milliseconds; default 30,000. */
  readonly callTimeoutMs?: number;
  /** How often an HTTP/2 connection is checked, in milliseconds; default 15,000. Two missed answers end it. */
  readonly pingIntervalMs?: number;
  readonly metrics?: CoreMetrics;
  readonly log?: Log;
  readonly clock?: Clock;
}

/** A client of the API server over one shared, pooled transport. Connects when first used. */
export function createKubeClient(options: KubeClientOptions): KubeClient {
  throw new Error(`not built yet: ${options.userAgent}`);
}

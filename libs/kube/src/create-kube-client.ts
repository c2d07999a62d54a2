import { type CoreMetrics, noMetrics } from '@executor-status/controller';
import { CallGate } from './call-gate.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Credentials } from './credentials.ts';
import { HttpKubeClient } from './http-kube-client.ts';
import type { KubeClient } from './kube-client.ts';
import { Transport } from './transport.ts';
import { Wire } from './wire.ts';

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
  /** How often a connection is checked, in milliseconds; default 15,000. One that stays silent twice is given up. */
  readonly pingIntervalMs?: number;
  /** Takes the figures of {@link KUBE_METRICS}. Default: nobody does. */
  readonly metrics?: CoreMetrics;
  readonly clock?: Clock;
}

/** A client of the API server over one shared pool of connections. Connects when first used. */
export function createKubeClient(options: KubeClientOptions): KubeClient {
  const { credentials, userAgent, clock = systemClock, metrics = noMetrics } = options;
  const { qps = 20, burst = 40, maxInFlight = 16 } = options;
  const { callTimeoutMs = 30_000, pingIntervalMs = 15_000 } = options;
  const transport = new Transport({ credentials, pingIntervalMs, clock });
  const gate = new CallGate({ qps, burst, maxInFlight }, clock);
  const wire = new Wire({ transport, gate, clock, metrics, userAgent, callTimeoutMs });
  return new HttpKubeClient(wire, { clock, close: () => transport.close() });
}

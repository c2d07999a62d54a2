import {
  type Backoff,
  type CoreMetrics,
  type KubeObject,
  noMetrics,
  type WatchEvent,
} from '@executor-status/controller';
import type { Observable } from 'rxjs';
import { abortableStream } from './abortable-stream.ts';
import type { KubeClient, Selection } from './kube-client.ts';
import { type Log, noLog } from './log.ts';
import { Reflector } from './reflector.ts';
import type { Resource } from './resource.ts';
import { WatchHealth } from './watch-health.ts';
import { WatchSupervisor } from './watch-supervisor.ts';

/** What {@link watchResource} watches, and how patient it is. */
export interface WatchOptions<T> extends Selection {
  /** Watches `PartialObjectMetadata`: apiVersion, kind and metadata only. */
  readonly metadataOnly?: boolean;
  /** Makes what is kept of each object, while it is decoded; must not throw. Default: the whole object. */
  readonly project?: (raw: KubeObject) => T;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly health?: WatchHealth;
  readonly metrics?: CoreMetrics;
  readonly log?: Log;
  /** Pauses after failures; default 1 s to 24 s. A `Retry-After` of the server can only make one longer. */
  readonly backoff?: Backoff;
  /** How long the server keeps a watch, in seconds: a random number between these two; default 300 and 600. */
  readonly timeoutSeconds?: readonly [least: number, most: number];
  /**
   * How long a stream may be silent, in milliseconds; default 75,000, since the server speaks once a minute. Over
   * HTTP/1.1, where no pings find a dead connection, at most 40,000.
   */
  readonly silenceMs?: number;
  /** Objects in a page of a list; default 500. */
  readonly pageSize?: number;
  /**
   * Tells `synced` without objects when the kind is not installed at three tries in a row and nothing was ever listed, for
   * whoever must know that there is none. Default false: nothing is told of a kind that is not installed.
   */
  readonly emptyIfMissing?: boolean;
}

/**
 * The objects of a kind as a stream: first `synced` with all of them, then each change.
 *
 * One request is open at any time: a WatchList, or pages of a list and then a watch that resumes where the last one
 * ended. `synced` comes again, with the whole world, only after the server could not resume (410). Every other failure
 * is retried for ever. The stream never fails and never completes; it starts when subscribed and stops at once, in
 * every phase, when unsubscribed. A kind that is not installed is waited for.
 */
export function watchResource<T = KubeObject>(
  client: KubeClient,
  resource: Resource,
  options: WatchOptions<T>,
): Observable<WatchEvent<T>> {
  const { clock } = client;
  const settings = {
    ...DEFAULTS,
    project: asIs<T>,
    health: new WatchHealth(resource.plural, clock),
    ...options,
  };
  const selection = selectionOf(options);
  return abortableStream((signal) => {
    const supervisor = new WatchSupervisor({ ...settings, resource: resource.plural, clock });
    return new Reflector({ ...settings, client, resource, selection, supervisor }).run(signal);
  });
}

const DEFAULTS = {
  metadataOnly: false,
  // With its jitter, 1 s to 24 s: what has changed is known 30 s after an outage, the answer included.
  backoff: { baseMs: 1250, maxMs: 20_000, jitter: 0.2 },
  timeoutSeconds: [300, 600],
  silenceMs: 75_000,
  pageSize: 500,
  emptyIfMissing: false,
  metrics: noMetrics,
  log: noLog,
} as const;

function selectionOf({ namespace, labelSelector, fieldSelector }: Selection): Selection {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
}

// Without a projection, the caller's word is taken for the type of what the server sends.
const asIs = <T>(raw: KubeObject): T => raw as T;

import { type Fault, faultName } from './fault.ts';
import { OpenWatches } from './open-watches.ts';
import { isMeant, type Match, requestKind, type SeenRequest } from './seen-request.ts';

/** Figures about everything that went through the proxy. */
export interface ProxyStats {
  /** TCP connections of clients that are open now. */
  readonly connections: number;
  /** TCP connections that clients ever opened. */
  readonly connectionsEver: number;
  /** Watches that are open now, by client and resource: `ratify-0 executors`. */
  readonly watches: Readonly<Record<string, number>>;
  /** The most watches of one client and resource that were ever open at one time. */
  readonly mostWatches: Readonly<Record<string, number>>;
  /** One line for each time that more than one was open. */
  readonly overlaps: readonly string[];
  /** Requests so far, by kind: `patch executorpodstatuses/status`. */
  readonly requests: Readonly<Record<string, number>>;
  /** Bytes of answers that are over, by kind of request; what is still open is not in yet. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Faults so far, by kind. */
  readonly faults: Readonly<Record<string, number>>;
}

/** A request, what happened to it, and what came back. */
export interface Seen {
  readonly request: SeenRequest;
  readonly fault: Fault | undefined;
  /** The client's connection. */
  readonly connection: number;
  /** When it came: milliseconds of a clock that only goes forward. */
  readonly atMs: number;
}

/** Counts what goes through. */
export class Traffic {
  readonly #seen: Seen[] = [];
  readonly #watches = new OpenWatches();
  readonly #requests = new Map<string, number>();
  readonly #bytes = new Map<string, number>();
  readonly #faults = new Map<string, number>();

  /** A request has come. Returns what must be called once when it is over, with the bytes of its answer. */
  begin(seen: Seen): (bytes: number) => void {
    const { request, fault, connection, atMs } = seen;
    this.#seen.push(seen);
    // A bound, for runs of hours.
    if (this.#seen.length > MOST_SEEN) this.#seen.splice(0, MOST_SEEN / 10);
    add(this.#requests, requestKind(request));
    if (fault !== undefined) this.fault(fault);
    const key = `${request.client} ${request.resource}`;
    const watches = request.verb === 'watch' && fault?.kind !== 'answer';
    const watched = watches ? this.#watches.begin({ key, connection, atMs }) : undefined;
    return (bytes) => {
      watched?.();
      add(this.#bytes, requestKind(request), bytes);
    };
  }

  /** The connection is half open from now on: its watches do not count any more. */
  froze(connection: number): void {
    this.#watches.forget(connection);
  }

  fault(fault: Fault): void {
    add(this.#faults, faultName(fault));
  }

  /** The requests that match, oldest first. */
  seen(match: Match): readonly Seen[] {
    return this.#seen.filter(({ request }) => isMeant(request, match));
  }

  /** The figures, but for those of connections. */
  figures(): Omit<ProxyStats, 'connections' | 'connectionsEver'> {
    return {
      watches: this.#watches.now,
      mostWatches: this.#watches.most,
      overlaps: this.#watches.overlaps,
      requests: Object.fromEntries(this.#requests),
      bytes: Object.fromEntries(this.#bytes),
      faults: Object.fromEntries(this.#faults),
    };
  }
}

const MOST_SEEN = 20_000;

function add(counts: Map<string, number>, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

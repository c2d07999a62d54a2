import { Answer } from './answer.ts';
import { Entrance, type Message, type Response } from './entrance.ts';
import { Exchange } from './exchange.ts';
import { type Fault, faultName, type StreamFault } from './fault.ts';
import { type FaultPlan, requestClass } from './fault-plan.ts';
import { type ActiveRule, type FaultRule, FaultRules } from './fault-rules.ts';
import { forwardedFrom } from './forwarded-from.ts';
import { type Network, NetworkFront } from './network-front.ts';
import { isMeant, type Match, type SeenRequest, seenRequest } from './seen-request.ts';
import { type ProxyStats, type Seen, Traffic } from './traffic.ts';
import { type Target, Upstream } from './upstream.ts';

/** How a proxy begins. */
export interface FaultProxyOptions {
  /** What goes wrong by itself; nothing if absent. */
  readonly plan?: FaultPlan;
  /** Speaks nothing newer than HTTP/1.1 to clients. */
  readonly http1?: boolean;
}

/**
 * Stands between clients and an API server, with TLS on both sides, and lets things go wrong: by a plan, by rules, to
 * streams that are open, and to the network as a whole.
 */
export class FaultProxy implements AsyncDisposable {
  /** What goes wrong where no rule says so. */
  plan: FaultPlan | undefined;
  readonly #entrance: Entrance;
  readonly #front: NetworkFront;
  readonly #upstream: Upstream;
  readonly #rules = new FaultRules();
  readonly #traffic = new Traffic();
  readonly #exchanges = new Set<Exchange>();
  readonly #counts = new Map<string, number>();
  readonly #trace: string[] = [];

  private constructor(entrance: Entrance, front: NetworkFront, target: Target) {
    this.#entrance = entrance;
    this.#front = front;
    this.#upstream = new Upstream(target, (connection) => front.reset(connection));
    front.onFreeze = (connection) => this.#traffic.froze(connection);
  }

  /** Starts one on a free port of 127.0.0.1. */
  static async start(target: Target, { plan, http1 = false }: FaultProxyOptions = {}): Promise<FaultProxy> {
    const entrance = await Entrance.open({ http1 });
    const front = await NetworkFront.start(entrance.port);
    const proxy = new FaultProxy(entrance, front, target);
    proxy.plan = plan;
    entrance.serve({
      take: (message, response) => void proxy.#take(message, response),
      left: (connection) => proxy.#upstream.forget(connection),
    });
    return proxy;
  }

  get port(): number {
    return this.#front.port;
  }

  /** The certificate of the authority whom clients must trust, PEM. */
  get ca(): string {
    return this.#entrance.ca;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Lets requests from now on meet a fault. */
  fault(rule: FaultRule): ActiveRule {
    return this.#rules.add(rule);
  }

  /** Lets a fault happen to the requests that are open now. Returns how many those are. */
  strike(match: Match, fault: StreamFault): number {
    const struck = [...this.#exchanges].filter(({ request, isOver }) => !isOver && isMeant(request, match));
    for (const exchange of struck) {
      this.#traffic.fault(fault);
      exchange.strike(fault);
    }
    return struck.length;
  }

  /** Changes the network between the clients and the proxy. */
  network(network: Network): Promise<void> {
    return this.#front.become(network);
  }

  /** Resets all connections that are open now. */
  resetAll(): void {
    this.#front.resetAll();
  }

  /** Ends the plan and all rules, and mends the network. Connections that are half open stay so. */
  async heal(): Promise<void> {
    this.plan = undefined;
    this.#rules.clear();
    await this.network('up');
  }

  /** Shows a certificate of a new authority from the next connection on; `ca` is the new one's then. */
  rotate(): void {
    this.#entrance.rotate();
  }

  stats(): ProxyStats {
    const { open, taken } = this.#front;
    return { connections: open, connectionsEver: taken, ...this.#traffic.figures() };
  }

  /** The requests so far that match, oldest first, and what happened to each. */
  seen(match: Match = {}): readonly Seen[] {
    return this.#traffic.seen(match);
  }

  /** One line for each fault of the plan and of the rules so far: which request met it. */
  get trace(): readonly string[] {
    return this.#trace;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#front.close();
    this.#upstream.close();
    await this.#entrance.close();
  }

  async #take(message: Message, response: Response): Promise<void> {
    const connection = message.socket.remotePort ?? 0;
    const answer = new Answer(response);
    const { method = 'GET', url = '/', headers } = message;
    const { authorization, accept } = headers;
    const request = seenRequest({ method, url, authorization, accept });
    const fault = this.#decide(request);
    const over = this.#traffic.begin({ request, fault, connection, atMs: performance.now() });
    answer.closed.addEventListener('abort', () => over(answer.bytes));
    const forwarded = await forwardedFrom(message);
    // The client has gone before it had said everything.
    if (forwarded === undefined) return;
    const exchange = new Exchange({
      request,
      forwarded,
      fault,
      answer,
      connection,
      front: this.#front,
      upstream: this.#upstream,
    });
    this.#exchanges.add(exchange);
    answer.closed.addEventListener('abort', () => this.#exchanges.delete(exchange));
    await exchange.run();
  }

  #decide(request: SeenRequest): Fault | undefined {
    const key = requestClass(request);
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    const fault = this.#rules.next(request) ?? this.plan?.(request, count);
    if (fault !== undefined) this.#trace.push(`${key} (${count}): ${faultName(fault)}`);
    return fault;
  }
}

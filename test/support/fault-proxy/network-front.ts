import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../free-port.ts';

/**
 * The state of the network before the proxy. `refused`: nobody listens. `silent`: connections open, and no byte passes.
 * `tls-error`: whoever answers does not speak TLS. `reset`: connections are reset as soon as they open.
 */
export type Network = 'up' | 'refused' | 'silent' | 'tls-error' | 'reset';

/** Two sockets and what joins them. */
interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  frozen: boolean;
}

/**
 * Takes TCP connections and passes their bytes on to a port on this machine, until it is told not to. A connection is
 * named by the port from which it reaches the far side.
 */
export class NetworkFront {
  readonly port: number;
  readonly #backPort: number;
  readonly #pairs = new Set<Pair>();
  /** Called with each connection that falls silent. */
  onFreeze: (connection: number) => void = () => undefined;
  #server: Server | undefined;
  #network: Network = 'up';
  #taken = 0;

  private constructor(port: number, backPort: number) {
    this.port = port;
    this.#backPort = backPort;
  }

  /** Starts one on a free port of 127.0.0.1. */
  static async start(backPort: number): Promise<NetworkFront> {
    const front = new NetworkFront(await freePort(), backPort);
    await front.#listen();
    return front;
  }

  get network(): Network {
    return this.#network;
  }

  /** How many connections are open. */
  get open(): number {
    return this.#pairs.size;
  }

  /** How many connections were ever taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Changes the network; connections that are open fall silent with it, or are reset. */
  async become(network: Network): Promise<void> {
    this.#network = network;
    if (network === 'silent') this.freezeAll();
    else if (network !== 'up') this.resetAll();
    if (network === 'refused') this.#stopListening();
    else await this.#listen();
  }

  /** Swallows all further bytes of a connection, without closing it. */
  freeze(connection: number): void {
    this.#each(connection, (pair) => this.#freeze(pair));
  }

  /** Resets a connection. */
  reset(connection: number): void {
    this.#each(connection, resetPair);
  }

  freezeAll(): void {
    for (const pair of this.#pairs) this.#freeze(pair);
  }

  resetAll(): void {
    for (const pair of this.#pairs) resetPair(pair);
  }

  close(): void {
    this.#stopListening();
    this.resetAll();
  }

  #each(connection: number, act: (pair: Pair) => void): void {
    for (const pair of this.#pairs) if (pair.far.localPort === connection) act(pair);
  }

  #freeze(pair: Pair): void {
    const { near, far } = pair;
    pair.frozen = true;
    near.unpipe(far).resume();
    far.unpipe(near).resume();
    this.onFreeze(far.localPort ?? 0);
  }

  async #listen(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer((near) => this.#take(near));
    this.#server = server;
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
  }

  #stopListening(): void {
    this.#server?.close();
    this.#server = undefined;
  }

  #take(near: Socket): void {
    this.#taken += 1;
    near.on('error', ignore);
    if (this.#network === 'reset') near.resetAndDestroy();
    else if (this.#network === 'tls-error') near.resume().end('HTTP/1.0 400 Bad Request\r\n\r\n');
    else this.#join(near);
  }

  #join(near: Socket): void {
    const far = connect(this.#backPort, '127.0.0.1');
    const pair = { near, far, frozen: false };
    this.#pairs.add(pair);
    near.on('close', () => {
      this.#pairs.delete(pair);
      far.destroy();
    });
    // The end of what lies behind a silent network is not heard either.
    far.on('error', ignore).on('close', () => pair.frozen || near.destroy());
    near.setNoDelay(true).pipe(far.setNoDelay(true)).pipe(near);
    if (this.#network === 'silent') this.#freeze(pair);
  }
}

// 'close' follows, and ends the pair.
const ignore = () => undefined;

function resetPair({ near, far }: Pair): void {
  near.resetAndDestroy();
  far.destroy();
}

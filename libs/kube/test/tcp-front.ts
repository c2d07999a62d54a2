import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands before a server and passes bytes on, until it is told not to. */
export class TcpFront {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  /** How many connections it has taken so far. */
  taken = 0;

  private constructor(backPort: number) {
    this.#server = createServer((socket) => this.#join(socket, connect(backPort, '127.0.0.1')));
  }

  /** Starts one on a free port of 127.0.0.1. */
  static async start(backPort: number): Promise<TcpFront> {
    const front = new TcpFront(backPort);
    await listen(front.#server);
    return front;
  }

  get port(): number {
    return portOf(this.#server);
  }

  /** How many connections are open. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Swallows all bytes of the connections that are open now, without closing them. */
  freeze(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.unpipe().resume();
  }

  /** Resets the connections that are open now. */
  cut(): void {
    for (const [socket] of this.#pairs) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    for (const [socket] of this.#pairs) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, far: Socket): void {
    this.taken += 1;
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.pipe(far);
    far.pipe(near);
  }
}

/** Lets a server listen on a free port of 127.0.0.1. */
export async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy for https on loopback that leads every host to one port of this machine, and notes who was asked for. */
export class ConnectProxy {
  /** Where all connections end; while 0 they are refused. */
  port = 0;
  /** Host and port of each CONNECT so far. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((_, response) => response.writeHead(405).end());
    this.#server.on('connect', (request, client: Socket) => this.#join(request.url ?? '', client));
  }

  static async start(): Promise<ConnectProxy> {
    const proxy = new ConnectProxy();
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(host: string, client: Socket): void {
    this.asked.push(host);
    const server = connect({ host: '127.0.0.1', port: this.port });
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
    server.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(server).pipe(client);
    });
  }
}

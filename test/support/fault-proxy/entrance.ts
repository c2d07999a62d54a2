import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { newServerCertificate } from './server-certificate.ts';

/** A request of a client, over either protocol. */
export type Message = IncomingMessage | Http2ServerRequest;
/** Its answer. */
export type Response = ServerResponse | Http2ServerResponse;

/** What becomes of what comes in. */
export interface Reception {
  readonly take: (message: Message, response: Response) => void;
  /** A client's connection has ended. */
  readonly left: (connection: number) => void;
}

/** Where clients come in: a server with TLS and a certificate of its own, for HTTP/2 and HTTP/1.1. */
export class Entrance {
  readonly #server: Server | Http2SecureServer;
  readonly #open = new Set<Socket>();
  #ca: string;

  private constructor(server: Server | Http2SecureServer, ca: string) {
    this.#server = server;
    this.#ca = ca;
  }

  /** Opens one on a free port of 127.0.0.1. */
  static async open({ http1 }: { readonly http1: boolean }): Promise<Entrance> {
    const { ca, ...certificate } = newServerCertificate();
    const server = http1
      ? createServer(certificate)
      : createSecureServer({ ...certificate, allowHTTP1: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Entrance(server, ca);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The certificate of the authority whom clients must trust, PEM. */
  get ca(): string {
    return this.#ca;
  }

  serve({ take, left }: Reception): void {
    this.#server.on('request', take);
    this.#server.on('secureConnection', (socket: Socket) => {
      // Not known any more once it is closed.
      const connection = socket.remotePort ?? 0;
      socket.on('error', ignore).on('close', () => left(connection));
    });
    this.#server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
    for (const event of ['sessionError', 'tlsClientError', 'clientError']) this.#server.on(event, ignore);
  }

  /** Shows a certificate of a new authority from the next connection on. */
  rotate(): void {
    const { ca, ...certificate } = newServerCertificate();
    this.#server.setSecureContext(certificate);
    this.#ca = ca;
  }

  async close(): Promise<void> {
    this.#server.close();
    // One whose end was lost on the way would keep it open for ever.
    for (const socket of this.#open) socket.destroy();
    await once(this.#server, 'close');
  }
}

// What a broken connection means is seen at its requests.
const ignore = () => undefined;

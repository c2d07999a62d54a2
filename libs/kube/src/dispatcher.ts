import { Agent, buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Connection } from './credentials.ts';

/**
 * A pool of connections to one API server, directly or through a proxy: HTTP/2 where the server has it.
 *
 * A peer that vanishes without a word is found by HTTP/2 pings within two `pingIntervalMs`, and on HTTP/1.1 by TCP
 * keep-alive, whose first probe goes out as late as a ping (Node.js then probes ten times, a second apart: libuv,
 * `uv__tcp_keepalive`).
 */
export function newDispatcher(connection: Connection, pingIntervalMs: number): Dispatcher {
  const tls = tlsOptions(connection, pingIntervalMs);
  // Every call has a deadline of its own, and every stream a limit of silence: undici's would only come on top.
  const options = {
    h2Options: { pingInterval: pingIntervalMs },
    keepAliveTimeout: IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: newPool,
  };
  const { proxy } = connection;
  if (proxy === undefined) return new Agent({ ...options, connect: buildConnector(tls) });
  return new ProxyAgent({
    ...options,
    uri: proxy,
    requestTls: tls,
    proxyTls: { timeout: CONNECT_TIMEOUT_MS },
  });
}

function tlsOptions({ ca, cert, key, serverName, insecure }: Connection, pingIntervalMs: number) {
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    rejectUnauthorized: insecure !== true,
    preferH2: true,
    timeout: CONNECT_TIMEOUT_MS,
    keepAliveInitialDelay: pingIntervalMs,
  };
}

/**
 * A pool whose HTTP/2 clients connect anew after a GOAWAY although a stream still runs on the old connection. Without a
 * connection, a client of undici 8.13 goes by its HTTP/1.1 limit of one request at a time, counts the running watch, and
 * lets the requests that were refused wait until that ends.
 */
function newPool(origin: string | URL, options: Pool.Options): Dispatcher {
  let multiplexed = false;
  const { connect } = options;
  const noticing: buildConnector.connector = (to, done) => {
    const connector = typeof connect === 'function' ? connect : buildConnector(connect);
    connector(to, (...result) => {
      const [failure, socket] = result;
      if (failure === null) multiplexed = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
      done(...result);
    });
  };
  const pool = new Pool(origin, { ...options, connect: noticing });
  pool.on('connect', (_origin, targets) => {
    const client = targets.at(-1);
    if (client instanceof Client) client.pipelining = multiplexed ? MAX_STREAMS : 1;
  });
  return pool;
}

// As many as undici opens on one connection.
const MAX_STREAMS = 100;
const CONNECT_TIMEOUT_MS = 10_000;
// Well below the 90 s after which the API server closes an idle HTTP/1.1 connection (k8s.io/apiserver, secure_serving.go).
const IDLE_MS = 30_000;

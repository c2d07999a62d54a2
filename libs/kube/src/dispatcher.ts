import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { Connection } from './credentials.ts';

/**
 * A pool of connections to one API server, directly or through a proxy: HTTP/2 where the server has it.
 *
 * A peer that vanishes without a word is found by HTTP/2 pings within two `pingIntervalMs`, and on HTTP/1.1 by TCP
 * keep-alive, whose first probe goes out as late as a ping (Node.js then probes ten times, a second apart: libuv,
 * `uv__tcp_keepalive`).
 */
export function newDispatcher(connection: Connection, pingIntervalMs: number): Dispatcher {
  const { ca, cert, key, serverName, insecure, proxy } = connection;
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    rejectUnauthorized: insecure !== true,
    preferH2: true,
    timeout: CONNECT_TIMEOUT_MS,
    keepAliveInitialDelay: pingIntervalMs,
  };
  // Every call has a deadline of its own, and every stream a limit of silence: undici's would only come on top.
  const options = {
    h2Options: { pingInterval: pingIntervalMs },
    keepAliveTimeout: IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (proxy === undefined) return new Agent({ ...options, connect: tls });
  return new ProxyAgent({
    ...options,
    uri: proxy,
    requestTls: tls,
    proxyTls: { timeout: CONNECT_TIMEOUT_MS },
  });
}

const CONNECT_TIMEOUT_MS = 10_000;
// Well below the 90 s after which the API server closes an idle HTTP/1.1 connection (k8s.io/apiserver, secure_serving.go).
const IDLE_MS = 30_000;

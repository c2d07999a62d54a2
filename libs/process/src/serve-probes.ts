import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorText } from '@executor-status/api';
import type { HealthChecks } from './health-checks.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { MisconfigurationError } from './misconfiguration-error.ts';

export interface ProbeOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The checks behind each path, as `/livez`. */
  readonly probes: Readonly<Record<string, HealthChecks>>;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface ProbeServer {
  /** The port it listens on. */
  readonly port: number;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

/**
 * Serves the probes and `/metrics` over plain HTTP. A probe answers 200 while none of its checks fails, else 503 with a line
 * for each; `?verbose` lists the checks in either case. The port that was taken is logged.
 *
 * @throws {MisconfigurationError} when it cannot listen there: the port is taken, or the address is not of this host.
 */
export async function serveProbes(options: ProbeOptions): Promise<ProbeServer> {
  const { host, port, log } = options;
  const server = createServer(LIMITS, (request, response) => {
    answer(request, options).then(
      (reply) => send(request, response, reply),
      (error: unknown) => {
        log.error('cannot answer a probe', { path: request.url, error });
        send(request, response, { code: 500, body: 'internal error\n' });
      },
    );
  });
  server.maxConnections = 100;
  const taken = await listen(server, host, port);
  server.on('error', (error) => log.error('the probe server failed', { error }));
  log.info('serving probes', { host, port: taken, paths: [...Object.keys(options.probes), '/metrics'] });
  return { port: taken, close: () => close(server) };
}

/** A probe is small and quick: nobody may hold a connection or memory for long. */
const LIMITS = { headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 5000, maxHeaderSize: 8192 };

interface Reply {
  readonly code: number;
  readonly body: string;
  readonly type?: string;
}

async function answer({ method, url }: IncomingMessage, { probes, metrics }: ProbeOptions): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') return { code: 405, body: 'only GET and HEAD\n' };
  const [path = '', query = ''] = (url ?? '').split('?');
  if (path === '/metrics') {
    return { code: 200, body: await metrics.render(), type: 'text/plain; version=0.0.4; charset=utf-8' };
  }
  const checks = Object.hasOwn(probes, path) ? probes[path] : undefined;
  if (checks === undefined) return { code: 404, body: 'not found\n' };
  return verdict(checks, new URLSearchParams(query).has('verbose'));
}

function verdict(checks: HealthChecks, verbose: boolean): Reply {
  const results = checks.results();
  const failed = results.some(({ failure }) => failure !== undefined);
  const lines = results.map(({ name, failure }) =>
    failure === undefined ? `[+]${name} ok\n` : `[-]${name} failed: ${failure}\n`,
  );
  const summary = failed ? 'failed\n' : 'ok\n';
  return { code: failed ? 503 : 200, body: failed || verbose ? lines.join('') + summary : summary };
}

function send(request: IncomingMessage, response: ServerResponse, { code, body, type }: Reply): void {
  response.writeHead(code, {
    'content-type': type ?? 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const what = `cannot serve probes on ${host}:${port}: ${errorText(cause)}; choose another port or address`;
      reject(new MisconfigurationError(what, { cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

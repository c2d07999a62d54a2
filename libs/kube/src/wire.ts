import type { CoreMetrics } from '@executor-status/controller';
import type { CallGate } from './call-gate.ts';
import type { Clock } from './clock.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { errorFromAnswer, errorFromFailure } from './error-from.ts';
import type { ByteStream, KubeRequest } from './kube-client.ts';
import type { KubeError } from './kube-error.ts';
import { type Transport, type WireAnswer, WithheldError } from './transport.ts';

/** What {@link Wire} stands on. */
export interface WireOptions {
  readonly transport: Transport;
  readonly gate: CallGate;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
  readonly userAgent: string;
  readonly callTimeoutMs: number;
}

/** Turns calls into requests and answers into values or a `KubeError`: deadline, line, metrics. */
export class Wire {
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** One call, and the JSON that came back. */
  async request<T>(request: KubeRequest): Promise<T> {
    return this.#measured(request, async (signal) => {
      const leave = await this.#enter(request, signal);
      try {
        const answer = await this.#answer(request, signal);
        // The one edge where the server's word is taken for the type.
        return (await answer.body.json()) as T;
      } finally {
        leave();
      }
    });
  }

  /** One stream. Its opening has a deadline; streams stand in no line, since each is open for minutes. */
  async open(request: KubeRequest): Promise<ByteStream> {
    return this.#measured(request, async (signal) => {
      const { headers, body } = await this.#answer(request, signal);
      return {
        chunks: failingAs(request, body),
        // HTTP/2 has no such header, and over HTTP/1.1 a watch always has it.
        pinged: headers['transfer-encoding'] === undefined,
      };
    });
  }

  async #measured<T>(request: KubeRequest, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, callTimeoutMs } = this.#options;
    const deadline = startDeadline(request.timeoutMs ?? callTimeoutMs, request.signal);
    const since = clock.now();
    try {
      const result = await run(deadline.signal);
      this.#report(request, since, '200');
      return result;
    } catch (cause) {
      const error = errorFromFailure(request, cause, reasonOf(cause, deadline));
      this.#report(request, since, `${error.code ?? error.reason}`);
      throw error;
    } finally {
      deadline.clear();
    }
  }

  async #enter({ priority = 'normal' }: KubeRequest, signal: AbortSignal): Promise<() => void> {
    const { gate } = this.#options;
    const turn = gate.enter(priority, signal);
    this.#reportGate();
    const leave = await turn;
    this.#reportGate();
    return () => {
      leave();
      this.#reportGate();
    };
  }

  async #answer(request: KubeRequest, signal: AbortSignal): Promise<WireAnswer> {
    const { transport, clock, gate, userAgent } = this.#options;
    const { method, body, accept = JSON_TYPE, contentType = JSON_TYPE, mayStill } = request;
    const headers = {
      accept,
      'user-agent': userAgent,
      ...(body !== undefined && { 'content-type': contentType }),
    };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const path = withQuery(request);
    const answer = await transport.send({ method, path, headers, body: sent, signal, mayStill });
    if (answer.statusCode < 300) return answer;
    const error: KubeError = await errorFromAnswer(request, answer, clock.wallMs());
    if (error.code === 429) gate.hold(Math.min(error.retryAfterMs ?? 0, MAX_HOLD_MS));
    throw error;
  }

  #report({ verb, resource = 'other' }: KubeRequest, since: number, code: string): void {
    const { metrics, clock } = this.#options;
    metrics.count('kube_requests_total', { verb, resource, code });
    metrics.observe('kube_request_seconds', { verb }, (clock.now() - since) / 1000);
  }

  #reportGate(): void {
    const { metrics, gate } = this.#options;
    metrics.gauge('kube_requests_in_flight', {}, gate.open);
    metrics.gauge('kube_requests_waiting', {}, gate.waiting);
  }
}

const JSON_TYPE = 'application/json';
// The API server asks for a second or so; a longer wait is for the one call that was refused, not for all.
const MAX_HOLD_MS = 10_000;

function reasonOf(cause: unknown, deadline: Deadline): string {
  if (deadline.expired) return 'Timeout';
  if (deadline.signal.aborted) return 'Aborted';
  if (cause instanceof WithheldError) return 'Withheld';
  return cause instanceof SyntaxError ? 'NotJson' : 'Unreachable';
}

function withQuery({ path, query = {} }: KubeRequest): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? path : `${path}?${given.toString()}`;
}

async function* failingAs(request: KubeRequest, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw errorFromFailure(request, cause, request.signal?.aborted ? 'Aborted' : 'Unreachable');
  }
}

import { KubeError } from './kube-error.ts';
import type { WireAnswer } from './transport.ts';

/** What was asked, for the message. */
export interface Asked {
  readonly verb: string;
  readonly target: string;
}

/** The `Status` object with which the API server explains a refusal. */
interface Status {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  /** Always there in what the API server itself has said. */
  readonly details?: { readonly name?: string; readonly retryAfterSeconds?: number };
}

/** Reads the refusal in `answer`, whether a Status or, from something in between, anything else. */
export async function errorFromAnswer(asked: Asked, answer: WireAnswer, wallMs: number): Promise<KubeError> {
  const { statusCode, headers, body } = answer;
  const text = await beginning(body);
  const status = statusIn(text) ?? (text.trim() === UNKNOWN_PATH ? { details: {} } : {});
  const header = retryAfterMs(String(headers['retry-after'] ?? ''), wallMs);
  return newError(asked, { ...status, code: statusCode }, header);
}

/** The error that an `ERROR` event of a watch carries. */
export function errorFromStatus(asked: Asked, status: unknown): KubeError {
  return newError(asked, isStatus(status) ? { details: {}, ...status } : {});
}

/** The error of a call that got no answer, or only a part of one. */
export function errorFromFailure(asked: Asked, cause: unknown, reason = 'Unreachable'): KubeError {
  return cause instanceof KubeError
    ? cause
    : new KubeError({ ...asked, reason, detail: chain(cause), cause });
}

function newError(asked: Asked, status: Status, headerMs?: number): KubeError {
  const { code, reason, message, details } = status;
  const seconds = details?.retryAfterSeconds;
  return new KubeError({
    ...asked,
    code,
    reason,
    detail: message,
    retryAfterMs: headerMs ?? (seconds === undefined ? undefined : seconds * 1000),
    missing: code === 404 && details ? (details.name ? 'object' : 'kind') : undefined,
  });
}

function statusIn(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStatus(value) ? { details: {}, ...value } : undefined;
  } catch {
    return undefined; // HTML of a proxy, or plain text: the HTTP status says enough.
  }
}

/** What the API server answers for a group that it does not serve: net/http, `NotFound`, by way of k8s.io/apiserver. */
const UNKNOWN_PATH = '404 page not found';

function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
}

/** @param header - whole seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string, wallMs: number): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = header === '' ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallMs);
}

/** The first part of a body, enough for any Status; the rest is not read. */
async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= MAX_STATUS_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

const MAX_STATUS_BYTES = 65_536;

/** The messages of an error and of its causes, without saying anything twice. */
function chain(error: unknown): string {
  const said: string[] = [];
  for (let cause = error; cause instanceof Error && said.length < 5; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    said.push(cause.message || code || cause.name);
  }
  return [...new Set(said)].join(': ');
}

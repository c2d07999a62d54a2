import type { Fault } from './fault.ts';

/** An answer that the API server did not give. */
export interface Refusal {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a client is told instead of the API server's answer. */
export function refusal(fault: Extract<Fault, { kind: 'answer' }>): Refusal {
  const { code, retryAfterSeconds, form = 'status' } = fault;
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (form === 'html') {
    const body = `<html><head><title>${code}</title></head><body>The proxy says ${code}.</body></html>\n`;
    return { code, headers: { 'content-type': 'text/html', ...wait }, body };
  }
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the fault proxy answers ${code}`,
    ...(REASONS[code] !== undefined && { reason: REASONS[code] }),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
    code,
  };
  return { code, headers: { 'content-type': 'application/json', ...wait }, body: JSON.stringify(status) };
}

/** @see k8s.io/apimachinery, pkg/apis/meta/v1/types.go, `StatusReason`. */
const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

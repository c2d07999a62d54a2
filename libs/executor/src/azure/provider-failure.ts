import type { ReportReason } from '@executor-status/api';
import { ProviderError } from '../provider-error.ts';
import { retryAfter, type TokenTry } from './token-trail.ts';

/** What is known beside the error itself. */
export interface FailureContext {
  /** Workload identity is in the environment. */
  readonly hasWorkloadIdentity: boolean;
  /** The last try of this identity to get a token. */
  readonly token: TokenTry | undefined;
}

/** Sorts whatever the Azure SDK threw into the reasons of a report. */
export function providerError(error: unknown, context: FailureContext): ProviderError {
  const status = statusOf(error);
  if (status !== undefined) return answered(status, error as RestError);
  const message = error instanceof Error ? error.message : String(error);
  if (isTokenError(error)) return tokenError(message, context);
  if (isTimeout(error)) {
    return context.token?.state === 'pending'
      ? tokenError(message, context)
      : new ProviderError('the vault did not answer in time', { reason: 'ProviderUnreachable' });
  }
  // What has a code of the network or of TLS never got an answer; anything else is a bug or a change of the SDK.
  const reason = codeOf(error) === undefined ? 'BuildFailed' : 'ProviderUnreachable';
  return new ProviderError(message, { reason });
}

interface RestError {
  readonly message: string;
  readonly code?: string;
  readonly response?: {
    readonly bodyAsText?: string | null;
    readonly headers: { get(name: string): string | undefined };
  };
}

/** The vault answered, but not with the object. */
function answered(status: number, { message, code, response }: RestError): ProviderError {
  const text = `the vault answered HTTP ${status}${code === undefined ? '' : ` ${code}`}: ${message}`;
  const said = `${message} ${response?.bodyAsText ?? ''} ${response?.headers.get('www-authenticate') ?? ''}`;
  return new ProviderError(text, { reason: reasonOf(status, said), ...retryAfter(response?.headers) });
}

function reasonOf(status: number, said: string): ReportReason {
  if (status === 429) return 'ProviderThrottled';
  if (status === 401) return /expired/i.test(said) ? 'CredentialsExpired' : 'ProviderDenied';
  if (status === 403) return reasonOfForbidden(said);
  if (status === 404) return 'CredentialsInvalid';
  return status >= 500 || status === 408 ? 'ProviderUnreachable' : 'BuildFailed';
}

/**
 * A disabled object, a closed network and a missing right are all answered with 403; the inner code tells, or the sentence.
 *
 * @see https://learn.microsoft.com/azure/key-vault/general/rest-error-codes
 */
function reasonOfForbidden(said: string): ReportReason {
  if (/\b(?:Secret|Key)Disabled\b|disabled (?:secret|key)\b/i.test(said)) return 'CredentialsInvalid';
  const closed =
    /ForbiddenBy(?:Connection|Firewall)|public network access is disabled|client address is not authorized/i;
  return closed.test(said) ? 'ProviderUnreachable' : 'ProviderDenied';
}

/** No token, so that the vault was not asked. */
function tokenError(message: string, { hasWorkloadIdentity, token }: FailureContext): ProviderError {
  if (/ENOENT|no content on the file/i.test(message)) {
    return new ProviderError(`no identity: ${message}`, { reason: 'IdentityNotInjected' });
  }
  const said = token?.text || message;
  const wait = token?.retryAfterMs === undefined ? {} : { retryAfterMs: token.retryAfterMs };
  const reason = hasWorkloadIdentity ? workloadReason(said, token) : managedReason(said);
  return new ProviderError(tokenText(said, token), { reason, ...wait });
}

/** Without what the SDK makes of an answer that it cannot read, and without the parts that it has no value for. */
function tokenText(said: string, token: TokenTry | undefined): string {
  const status = typeof token?.state === 'number' ? `, HTTP ${token.state}` : '';
  const tidy = said.split('Description: ').at(-1)?.split(' - Correlation ID')[0] ?? said;
  const text = tidy.includes('expiresOn') ? '' : tidy;
  return `no token from ${token?.from ?? 'any source'}${status}${text === '' ? '' : `: ${text}`}`;
}

/** Entra ID's codes for an assertion or a secret that has ended. */
const EXPIRED = /AADSTS(?:700024|7000222|500133|50173|700082)|expired/i;

function workloadReason(said: string, token: TokenTry | undefined): ReportReason {
  if (token?.state === 429) return 'ProviderThrottled';
  if (EXPIRED.test(said)) return 'CredentialsExpired';
  return typeof token?.state === 'number' && token.state < 500 ? 'ProviderDenied' : 'ProviderUnreachable';
}

/** Only the node's endpoint is left: outside Azure there is none, and inside it has no identity for this pod. */
function managedReason(said: string): ReportReason {
  if (/too.many.requests|throttl/i.test(said)) return 'ProviderThrottled';
  // The endpoint is there and did not speak: the SDK misses the token's date then.
  return said.includes('expiresOn') ? 'ProviderUnreachable' : 'IdentityNotInjected';
}

function statusOf(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  return typeof status === 'number' && nameOf(error) === 'RestError' ? status : undefined;
}

function isTokenError(error: unknown): boolean {
  return /^(?:Authentication(?:Required)?|CredentialUnavailable|AggregateAuthentication)Error$/.test(
    nameOf(error),
  );
}

function isTimeout(error: unknown): boolean {
  return /^(?:Timeout|Abort)Error$/.test(nameOf(error));
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '');

import type { ReportReason } from '@executor-status/api';

/** Something outside this pod (a key vault, a token endpoint, the Sigstore root) did not give what a build needs. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Which word of the report's closed set says it. */
  readonly reason: ReportReason;
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The vault's address could not be used at all; nothing was sent. */
  readonly unusableAddress: boolean;

  constructor(message: string, options: ProviderErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs;
    this.unusableAddress = options.unusableAddress ?? false;
  }
}

export interface ProviderErrorOptions {
  readonly reason: ReportReason;
  readonly retryAfterMs?: number;
  readonly unusableAddress?: boolean;
  readonly cause?: unknown;
}
